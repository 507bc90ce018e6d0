// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IDistributorFactory} from "./IDistributorFactory.sol";
import {IDistributor} from "./IDistributor.sol";
import {ITokenFactory} from "./ITokenFactory.sol";
import {Distributor} from "./Distributor.sol";

/// @notice See {IDistributorFactory}.
contract DistributorFactory is IDistributorFactory {
    ITokenFactory public immutable tokens;
    mapping(address distributor => bool) public made;

    constructor(ITokenFactory tokens_) {
        tokens = tokens_;
    }

    /// @inheritdoc IDistributorFactory
    function make(IDistributor.Terms calldata terms, bytes32 salt) external returns (address distributor) {
        if (!tokens.made(address(terms.token))) revert UnknownToken();
        distributor = address(new Distributor{salt: salt}(terms));
        made[distributor] = true;
        emit Made(distributor, address(terms.token), terms.root);
    }
}
