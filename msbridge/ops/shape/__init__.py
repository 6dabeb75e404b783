"""The shape and place of elements: reshaping, joining, gathering, scattering, padding."""
