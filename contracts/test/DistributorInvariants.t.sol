// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IDistributor} from "../src/IDistributor.sol";
import {DistributorBase} from "./support/DistributorBase.sol";

/// @notice Funds, donates, waits, claims one or many, takes leftovers, in any order.
contract DistributorPlay is DistributorBase {
    uint256[5] public claimed;
    uint256 public donated;
    uint256 public leftover;

    /// @param lacking the difference between the list's sum and the declared total
    constructor(uint128 lacking) {
        DistributorBase.setUp();
        IDistributor.Terms memory with = terms();
        with.total -= lacking;
        distributor = make(with);
    }

    function play() external view returns (IDistributor) {
        return distributor;
    }

    function amountOf(uint256 place) external view returns (uint256) {
        return amounts[place];
    }

    function here() external view returns (uint256) {
        return token.balanceOf(address(distributor));
    }

    function doWait(uint256 time) external {
        vm.warp(block.timestamp + time % 60 days);
    }

    function doFund(uint256 allowed) external {
        allow(operator, between(allowed, 0, 2 * distributor.total()));
        vm.prank(operator);
        try distributor.fund() {} catch {}
    }

    function doDonate(uint256 amount) external {
        amount = between(amount, 1, 10e18);
        vm.prank(operator);
        token.transfer(address(distributor), amount);
        donated += amount;
    }

    function had(uint256 place) private view returns (uint256) {
        return distributor.claimedOf(leafOf(place));
    }

    function doClaim(uint256 which) public {
        uint256 place = which % 5;
        uint256 before = token.balanceOf(accounts[place]);
        try distributor.claim(row(place)) {} catch {}
        claimed[place] += token.balanceOf(accounts[place]) - before;
    }

    function doClaimMany(uint256 first, uint256 second) external {
        IDistributor.Row[] memory rows = new IDistributor.Row[](2);
        rows[0] = row(first % 5);
        rows[1] = row(second % 5);
        uint256 firstHad = had(first % 5);
        uint256 secondHad = had(second % 5);
        try distributor.claimMany(rows) {} catch {}
        claimed[first % 5] += had(first % 5) - firstHad;
        if (first % 5 != second % 5) claimed[second % 5] += had(second % 5) - secondHad;
    }

    function doLeftover() public {
        uint256 before = token.balanceOf(treasury);
        try distributor.leftover() {} catch {}
        leftover += token.balanceOf(treasury) - before;
    }

    /// @notice Funds the contract if necessary, waits until all is unlocked and pays everybody.
    function finish() external {
        if (!distributor.funded()) {
            allow(operator, SUPPLY);
            vm.prank(operator);
            distributor.fund();
        }
        if (block.timestamp < START + 370 days) vm.warp(START + 370 days);
        for (uint256 i = 0; i < 5; i++) {
            doClaim(i);
        }
    }
}

abstract contract DistributorInvariants is DistributorBase {
    DistributorPlay internal game;

    function newGame() internal virtual returns (DistributorPlay);

    function setUp() public override {
        game = newGame();
        distributor = game.play();
    }

    function targetContracts() external view returns (address[] memory list) {
        list = new address[](1);
        list[0] = address(game);
    }

    function targetSelectors() external view returns (Selectors[] memory) {
        bytes4[] memory actions = new bytes4[](6);
        (actions[0], actions[1]) = (DistributorPlay.doWait.selector, DistributorPlay.doFund.selector);
        (actions[2], actions[3]) = (DistributorPlay.doDonate.selector, DistributorPlay.doClaim.selector);
        (actions[4], actions[5]) = (DistributorPlay.doClaimMany.selector, DistributorPlay.doLeftover.selector);
        return selected(address(game), actions);
    }

    function sumClaimed() internal view returns (uint256 sum) {
        for (uint256 i = 0; i < 5; i++) {
            sum += game.claimed(i);
        }
    }

    /// @notice Claims never exceed the funding, nor a row's unlocked part.
    function invariant_claimsNeverExceedWhatWasFunded() external view {
        uint256 sum = sumClaimed();
        vm.assertEq(distributor.claimed(), sum);
        vm.assertLe(sum, distributor.total());
        if (!distributor.funded()) vm.assertEq(sum, 0);
        for (uint256 i = 0; i < 5; i++) {
            vm.assertLe(game.claimed(i), distributor.vested(game.amountOf(i)));
        }
    }

    /// @notice The contract holds all unclaimed tokens, donations apart, until leftovers may be taken.
    function invariant_whatIsNotClaimedLiesHere() external view {
        if (!distributor.funded() || game.leftover() > 0) return;
        vm.assertGe(game.here(), distributor.total() - sumClaimed());
    }
}

contract DistributorWholeInvariants is DistributorInvariants {
    function newGame() internal override returns (DistributorPlay) {
        return new DistributorPlay(0);
    }

    /// @notice Every run ends with everybody paid in full, unless leftovers were taken a year after the last
    /// unlock.
    function afterInvariant() external {
        bool isTaken = game.leftover() > 0;
        game.finish();
        if (isTaken) return;
        for (uint256 i = 0; i < 5; i++) {
            vm.assertEq(game.claimed(i), game.amountOf(i));
        }
    }
}

/// @notice A list whose sum exceeds its funding.
contract DistributorOverfullInvariants is DistributorInvariants {
    function newGame() internal override returns (DistributorPlay) {
        return new DistributorPlay(20e18);
    }
}
