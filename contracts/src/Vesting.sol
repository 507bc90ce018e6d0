// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

/// @notice When tokens unlock, counted from a start that the contract says.
/// @param startBps share that is free at the start, in 1/10,000
/// @param cliff seconds from the start during which nothing more is freed
/// @param linear seconds after the cliff during which the rest is freed evenly; 0 frees the rest at the end of the cliff
struct Schedule {
    uint16 startBps;
    uint32 cliff;
    uint32 linear;
}

/// @notice A schedule frees more than everything, or lasts longer than five years.
error BadSchedule();

/// @notice The one curve of escrow and distributor.
library Vesting {
    uint256 internal constant BPS = 10_000;
    uint256 internal constant LONGEST = 5 * 365 days;

    /// @notice Refuses a schedule that frees more than everything or lasts longer than five years.
    function check(Schedule memory schedule) internal pure {
        if (schedule.startBps > BPS || duration(schedule) > LONGEST) revert BadSchedule();
    }

    /// @notice Seconds from the start until everything is free.
    function duration(Schedule memory schedule) internal pure returns (uint256) {
        return uint256(schedule.cliff) + schedule.linear;
    }

    /// @notice The part of `amount` that is free `elapsed` seconds after the start, rounded down; in the end all of it.
    function vestedDown(Schedule memory schedule, uint256 amount, uint256 elapsed) internal pure returns (uint256) {
        if (elapsed >= duration(schedule)) return amount;
        uint256 atStart = amount * schedule.startBps / BPS;
        if (elapsed <= schedule.cliff) return atStart;
        return atStart + (amount - atStart) * (elapsed - schedule.cliff) / schedule.linear;
    }
}
