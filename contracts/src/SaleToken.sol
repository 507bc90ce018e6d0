// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ISaleToken} from "./ISaleToken.sol";

/// @notice See {ISaleToken}.
contract SaleToken is ISaleToken, ERC20, ERC20Permit {
    constructor(string memory name_, string memory symbol_, address[] memory holders, uint256[] memory amounts)
        ERC20(name_, symbol_)
        ERC20Permit(name_)
    {
        if (holders.length == 0 || holders.length != amounts.length) revert BadDistribution();
        for (uint256 place = 0; place < holders.length; place++) {
            if (amounts[place] == 0) revert EmptyShare(place);
            _mint(holders[place], amounts[place]);
        }
    }
}
