// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @notice Another amount arrived than was sent: the token takes a fee, or does something else on its way.
error WrongAmountReceived();

/// @notice The recipient refused the chain's own coin.
error NotAccepted(address to);

/// @notice Takes in and sends out, each exactly.
library Money {
    using SafeERC20 for IERC20;

    /// @dev The chain's own coin among assets.
    address internal constant NATIVE = address(0);

    /// @notice Takes `amount` of `token` from `from`, who has allowed it, and refuses a token that delivers another amount.
    function take(IERC20 token, address from, uint256 amount) internal {
        _take(token, from, amount, token.balanceOf(address(this)));
    }

    /// @notice Takes from `from` what lacks of `wanted` of `token` here; nothing where enough lies here.
    function takeUpTo(IERC20 token, address from, uint256 wanted) internal {
        uint256 here = token.balanceOf(address(this));
        if (here < wanted) _take(token, from, wanted - here, here);
    }

    function _take(IERC20 token, address from, uint256 amount, uint256 here) private {
        token.safeTransferFrom(from, address(this), amount);
        if (token.balanceOf(address(this)) != here + amount) revert WrongAmountReceived();
    }

    /// @notice Sends `amount` of `asset` to `to`; of the chain's own coin with at most `gasMax` gas for what `to` does with it.
    function give(address asset, address to, uint256 amount, uint256 gasMax) internal {
        if (asset != NATIVE) return IERC20(asset).safeTransfer(to, amount);
        bool accepted;
        // Written by hand because what the recipient returns is not to be copied: its length is the recipient's choice.
        assembly ("memory-safe") {
            accepted := call(gasMax, to, amount, 0, 0, 0, 0)
        }
        if (!accepted) revert NotAccepted(to);
    }
}
