// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IEscrowFactory} from "./IEscrowFactory.sol";
import {ISaleEscrow} from "./ISaleEscrow.sol";
import {ITokenFactory} from "./ITokenFactory.sol";
import {SaleEscrow} from "./SaleEscrow.sol";

/// @notice See {IEscrowFactory}.
contract EscrowFactory is IEscrowFactory {
    ITokenFactory public immutable tokens;
    mapping(address escrow => bool) public made;

    constructor(ITokenFactory tokens_) {
        tokens = tokens_;
    }

    /// @inheritdoc IEscrowFactory
    function make(ISaleEscrow.Terms calldata terms, bytes32 salt) external returns (address escrow) {
        if (!tokens.made(address(terms.token))) revert UnknownToken();
        escrow = address(new SaleEscrow{salt: salt}(terms));
        made[escrow] = true;
        emit Made(escrow, address(terms.token), terms.seller);
    }
}
