// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

/// @title Makes sale tokens
/// @notice This factory stands at an address that commits to its code (CREATE2 by the keyless deployer), and its code holds
/// that of the token: `made` proves that a token is this one. Whoever makes it, and wherever: the address of a token follows from
/// what it is made of.
interface ITokenFactory {
    event Made(address indexed token);

    /// @notice Makes a token; who calls has no right in it. Reverts where the same has been made before.
    function make(
        string calldata name,
        string calldata symbol,
        address[] calldata holders,
        uint256[] calldata amounts,
        bytes32 salt
    ) external returns (address token);

    /// @notice This factory made `token`.
    function made(address token) external view returns (bool);
}
