"""Primitives of molecular dynamics, which 1.2 to 1.10 had for the GPU only; names by the arguments that they share."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.ops import operations
from msbridge.ops.legacy.without_kernel import without_kernel

_BOX = "fftx, ffty, fftz, box_length_0, box_length_1, box_length_2"
_PAIRS = "atom_numbers, constrain_pair_numbers"
_GRID = (
    "grid_numbers, atom_numbers, not_first_time, nxy, excluded_atom_numbers, cutoff_square, half_skin_square, "
    "cutoff_with_skin, half_cutoff_with_skin, cutoff_with_skin_square, refresh_interval=20, cutoff=10.0, skin=2.0, "
    "max_atom_in_grid_numbers=64, max_neighbor_numbers=800"
)
_NAMES = {
    "": "FFT3D IFFT3D",
    "angle_numbers": "AngleAtomEnergy AngleEnergy AngleForce AngleForceWithAtomEnergy",
    "atom_numbers": "CalculateNowrapCrd CrdToUintCrd CrdToUintCrdQuarter RefreshBoxmapTimes Totalc6get",
    f"atom_numbers, beta, {_BOX}": "PMEReciprocalForce",
    f"atom_numbers, beta, {_BOX}, need_update=0": "PMEReciprocalForceUpdate",
    _PAIRS: "ConstrainForceCycle ConstrainForceCycleWithVirial LastCrdToDr",
    f"{_PAIRS}, iteration_numbers, half_exp_gamma_plus_half": "ConstrainForce ConstrainForceVirial",
    f"{_PAIRS}, iteration_numbers, half_exp_gamma_plus_half, update_interval=10": "Constrain",
    "atom_numbers, cutoff, pme_beta": "LJForceWithPMEDirectForce",
    "atom_numbers, cutoff, pme_beta, max_neighbor_numbers=800": "LJForceWithVirialEnergy",
    "atom_numbers, cutoff, pme_beta, max_neighbor_numbers=800, need_update=0": "LJForceWithVirialEnergyUpdate",
    "atom_numbers, cutoff, pme_beta, need_update=0": "LJForceWithPMEDirectForceUpdate",
    "atom_numbers, cutoff_square": "LJEnergy LJForce",
    "atom_numbers, dt": "MDIterationLeapFrog",
    "atom_numbers, dt, max_velocity": "MDIterationLeapFrogWithMaxVel",
    "atom_numbers, dt_inverse, dt, exp_gamma, half_exp_gamma_plus_half": "RefreshCrdVel",
    "atom_numbers, excluded_numbers, beta": "PMEExcludedForce",
    f"atom_numbers, excluded_numbers, beta, {_BOX}": "PMEEnergy",
    f"atom_numbers, excluded_numbers, beta, {_BOX}, max_neighbor_numbers=800, need_update=0": "PMEEnergyUpdate",
    "atom_numbers, excluded_numbers, beta, need_update=0": "PMEExcludedForceUpdate",
    "atom_numbers, half_dt, dt, exp_gamma": "MDIterationLeapFrogLiujian",
    "atom_numbers, half_dt, dt, exp_gamma, max_vel": "MDIterationLeapFrogLiujianWithMaxVel",
    "atom_numbers, half_exp_gamma_plus_half": "RefreshUintCrd",
    "atom_numbers, learning_rate": "MDIterationGradientDescent",
    "atom_numbers, seed": "MDIterationSetupRandState",
    "bond_numbers, atom_numbers": (
        "BondAtomEnergy BondEnergy BondForce BondForceWithAtomEnergy BondForceWithAtomEnergyAndVirial "
        "BondForceWithAtomVirial"
    ),
    "dihedral_numbers": "DihedralAtomEnergy DihedralEnergy DihedralForce DihedralForceWithAtomEnergy",
    _GRID: "NeighborListUpdate",
    f"{_GRID}, forced_update=0, forced_check=0": "NeighborListRefresh",
    "nb14_numbers, atom_numbers": (
        "Dihedral14CFAtomEnergy Dihedral14CFEnergy Dihedral14ForceWithAtomEnergyVirial Dihedral14LJAtomEnergy "
        "Dihedral14LJCFForceWithAtomEnergy Dihedral14LJEnergy Dihedral14LJForce Dihedral14LJForceWithDirectCF"
    ),
    "residue_numbers": "GetCenterOfMass MapCenterOfMass",
    "residue_numbers, atom_numbers": "MDTemperature",
    "start_serial, end_serial, number, atom_numbers": "TransferCrd",
}


OVERRIDES: dict[str, Any] = {}
for _arguments, _names in _NAMES.items():
    for _name in _names.split():
        _kind = without_kernel(_name, _arguments)
        OVERRIDES[f"ops.{_name}"] = [_kind, Part(operations, _name, _kind)]
