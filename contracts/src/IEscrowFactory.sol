// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {ISaleEscrow} from "./ISaleEscrow.sol";
import {ITokenFactory} from "./ITokenFactory.sol";

/// @title Makes escrows for tokens of the token factory
/// @notice Stands at an address that commits to its code and to the token factory: `made` proves an escrow's code and its token's.
interface IEscrowFactory {
    event Made(address indexed escrow, address indexed token, address indexed seller);

    /// @notice The token factory did not make the token.
    error UnknownToken();

    /// @notice Makes an escrow; who calls has no right in it. Reverts where the same has been made before.
    function make(ISaleEscrow.Terms calldata terms, bytes32 salt) external returns (address escrow);

    /// @notice This factory made `escrow`.
    function made(address escrow) external view returns (bool);

    function tokens() external view returns (ITokenFactory);
}
