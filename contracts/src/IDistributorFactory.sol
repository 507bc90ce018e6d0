// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IDistributor} from "./IDistributor.sol";
import {ITokenFactory} from "./ITokenFactory.sol";

/// @title Makes distributors for tokens of the token factory
/// @notice Stands at an address that commits to its code and to the token factory: `made` proves a distributor's code and its token's.
interface IDistributorFactory {
    event Made(address indexed distributor, address indexed token, bytes32 indexed root);

    /// @notice The token factory did not make the token.
    error UnknownToken();

    /// @notice Makes a distributor; who calls has no right in it. Reverts where the same has been made before.
    function make(IDistributor.Terms calldata terms, bytes32 salt) external returns (address distributor);

    /// @notice This factory made `distributor`.
    function made(address distributor) external view returns (bool);

    function tokens() external view returns (ITokenFactory);
}
