// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {ITokenFactory} from "./ITokenFactory.sol";
import {SaleToken} from "./SaleToken.sol";

/// @notice See {ITokenFactory}.
contract TokenFactory is ITokenFactory {
    mapping(address token => bool) public made;

    /// @inheritdoc ITokenFactory
    function make(
        string calldata name,
        string calldata symbol,
        address[] calldata holders,
        uint256[] calldata amounts,
        bytes32 salt
    ) external returns (address token) {
        token = address(new SaleToken{salt: salt}(name, symbol, holders, amounts));
        made[token] = true;
        emit Made(token);
    }
}
