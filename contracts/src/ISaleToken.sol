// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

/// @title The token that is sold
/// @notice An ERC-20 with permit and 18 decimals. All of it is made once, in the constructor, for the holders of the
/// published distribution. Nobody can make more, take a fee, stop a transfer or list an address.
interface ISaleToken {
    /// @notice There is no holder, or not exactly one amount for each.
    error BadDistribution();

    /// @notice A holder of the distribution gets nothing.
    error EmptyShare(uint256 place);
}
