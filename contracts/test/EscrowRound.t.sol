// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {ISaleEscrow} from "../src/ISaleEscrow.sol";
import {EscrowBase} from "./support/EscrowBase.sol";

/// @notice Locking, closing, delivering, claiming, proceeds and leftovers.
contract EscrowRoundTest is EscrowBase {
    bytes32 private constant ONE = bytes32(uint256(1));

    function stateIs(ISaleEscrow.RoundState expected) private view {
        vm.assertTrue(escrow.state() == expected);
    }

    function deliverRefused(address by, uint256 maxTokens, bytes4 refusal) private {
        vm.prank(by);
        vm.expectRevert(refusal);
        escrow.deliver(maxTokens);
    }

    function allow(address by, uint256 amount) private {
        vm.prank(by);
        token.approve(address(escrow), amount);
    }

    function test_lockTakesTheWholeCapFromTheCaller() external {
        escrow = make(terms());
        allow(seller, CAP);
        vm.expectEmit(address(escrow));
        emit ISaleEscrow.Locked(seller);
        vm.prank(seller);
        escrow.lock();
        vm.assertTrue(escrow.locked());
        vm.assertEq(token.balanceOf(address(escrow)), CAP);
        vm.assertEq(token.balanceOf(seller), SUPPLY - 2 * CAP);
    }

    function test_lockTakesOnlyWhatLacks() external {
        escrow = make(terms());
        vm.prank(seller);
        token.transfer(address(escrow), CAP - 1);
        allow(seller, 1);
        vm.prank(seller);
        escrow.lock();
        vm.assertEq(token.balanceOf(address(escrow)), CAP);
    }

    function test_anyoneLocksTokensThatLieThereAlready() external {
        escrow = make(terms());
        vm.prank(seller);
        token.transfer(address(escrow), CAP);
        vm.prank(stranger);
        escrow.lock();
        vm.assertTrue(escrow.locked());
    }

    function test_refusesALockThatIsShortOfOneUnit() external {
        escrow = make(terms());
        allow(seller, CAP - 1);
        vm.prank(seller);
        vm.expectRevert();
        escrow.lock();
        vm.assertFalse(escrow.locked());
    }

    function test_refusesToLockTwiceOrOnceTheRoundIsOver() external {
        vm.expectRevert(ISaleEscrow.AlreadyLocked.selector);
        escrow.lock();
        makeUnlocked();
        toRefunding();
        vm.expectRevert(ISaleEscrow.RoundOver.selector);
        escrow.lock();
    }

    function test_locksUntilDeliveryIsOverdue() external {
        escrow = make(terms());
        vm.warp(START + 60 days);
        lockTokens();
        vm.assertTrue(escrow.locked());
    }

    function test_theStatesFollowTheClock() external {
        vm.warp(START + 30 days - 1);
        stateIs(ISaleEscrow.RoundState.Open);
        vm.warp(START + 30 days);
        stateIs(ISaleEscrow.RoundState.Closed);
        vm.warp(START + 60 days);
        stateIs(ISaleEscrow.RoundState.Closed);
        vm.warp(START + 60 days + 1);
        stateIs(ISaleEscrow.RoundState.Refunding);
    }

    function test_aLockedRoundIsDeliveredByAnyoneWithoutTheSeller() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        toReviewed();
        vm.expectEmit(address(escrow));
        emit ISaleEscrow.Delivered(stranger, 100e18);
        vm.prank(stranger);
        escrow.deliver(100e18);
        stateIs(ISaleEscrow.RoundState.Delivered);
        vm.assertEq(escrow.deliveredAt(), START + 32 days);
        vm.assertEq(token.balanceOf(address(escrow)), CAP);
    }

    function test_deliveryTakesTheTokensOwedFromTheCaller() external {
        makeUnlocked();
        payOrder(1, NATIVE, 1 ether, 100e18);
        payOrder(2, NATIVE, 1 ether, 50e18);
        toClosed();
        allow(seller, 150e18);
        vm.prank(seller);
        escrow.deliver(150e18);
        vm.assertEq(token.balanceOf(address(escrow)), 150e18);
    }

    function test_deliveryTakesOnlyWhatLacks() external {
        makeUnlocked();
        payOrder(1, NATIVE, 1 ether, 100e18);
        vm.prank(seller);
        token.transfer(address(escrow), 99e18);
        toClosed();
        allow(seller, 1e18);
        vm.prank(seller);
        escrow.deliver(100e18);
        vm.assertEq(token.balanceOf(address(escrow)), 100e18);
    }

    function test_refusesDeliveryWithoutAllTokens() external {
        makeUnlocked();
        payOrder(1, NATIVE, 1 ether, 100e18);
        toClosed();
        allow(seller, 100e18 - 1);
        vm.prank(seller);
        vm.expectRevert();
        escrow.deliver(100e18);
        stateIs(ISaleEscrow.RoundState.Closed);
    }

    function test_refusesDeliveryBeforeClosing() external {
        vm.warp(START + 30 days - 1);
        deliverRefused(seller, CAP, ISaleEscrow.NotDeliverable.selector);
    }

    function test_refusesDeliveryByAStrangerDuringTheReview() external {
        toClosed();
        deliverRefused(stranger, CAP, ISaleEscrow.InReview.selector);
        vm.warp(START + 32 days - 1);
        deliverRefused(stranger, CAP, ISaleEscrow.InReview.selector);
        vm.prank(seller);
        escrow.deliver(CAP);
        stateIs(ISaleEscrow.RoundState.Delivered);
    }

    function test_theReviewCountsFromAnEarlyClosing() external {
        vm.prank(seller);
        escrow.close();
        vm.warp(START + 2 days - 1);
        deliverRefused(stranger, CAP, ISaleEscrow.InReview.selector);
        vm.warp(START + 2 days);
        vm.prank(stranger);
        escrow.deliver(CAP);
        stateIs(ISaleEscrow.RoundState.Delivered);
    }

    function test_refusesDeliveryOfMoreThanTheCallerAllows() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        toClosed();
        deliverRefused(seller, 100e18 - 1, ISaleEscrow.OverLimit.selector);
    }

    function test_deliversInTheLastSecondAndNotLater() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        vm.warp(START + 60 days);
        escrow.deliver(CAP);
        vm.expectRevert(ISaleEscrow.NotRefundable.selector);
        escrow.refund(ONE);
        toRefunding();
        stateIs(ISaleEscrow.RoundState.Delivered);
        vm.expectRevert(ISaleEscrow.NotRefundable.selector);
        escrow.refund(ONE);
    }

    function test_refusesDeliveryOnceOverdue() external {
        toRefunding();
        deliverRefused(seller, CAP, ISaleEscrow.NotDeliverable.selector);
    }

    function test_refusesToDeliverTwice() external {
        toDelivered();
        deliverRefused(seller, CAP, ISaleEscrow.NotDeliverable.selector);
    }

    function test_aRoundThatSoldNothingGivesItsTokensBack() external {
        toDelivered();
        escrow.leftover();
        vm.assertEq(token.balanceOf(treasury), CAP);
    }

    function test_theTreasuryHasTheMoneyOfEachAssetAfterDelivery() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        payOrder(2, address(usd), 7e18, 100e18);
        payOrder(3, address(tether), 9e6, 100e18);
        toDelivered();
        vm.expectEmit(address(escrow));
        emit ISaleEscrow.Proceeds(NATIVE, 1 ether);
        vm.prank(stranger);
        escrow.proceeds(NATIVE);
        vm.assertEq(treasury.balance, 1 ether);
        escrow.proceeds(address(usd));
        escrow.proceeds(address(tether));
        vm.assertEq(usd.balanceOf(treasury), 7e18);
        vm.assertEq(tether.balanceOf(treasury), 9e6);
        vm.assertEq(escrow.raised(NATIVE), 0);
    }

    function test_refusesProceedsBeforeDeliveryAndWhileRefunding() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        vm.expectRevert(ISaleEscrow.NotDelivered.selector);
        escrow.proceeds(NATIVE);
        toClosed();
        vm.expectRevert(ISaleEscrow.NotDelivered.selector);
        escrow.proceeds(NATIVE);
        toRefunding();
        vm.expectRevert(ISaleEscrow.NotDelivered.selector);
        escrow.proceeds(NATIVE);
    }

    function test_refusesProceedsTwiceAndOfAnUnknownAsset() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        toDelivered();
        escrow.proceeds(NATIVE);
        vm.expectRevert(ISaleEscrow.NothingDue.selector);
        escrow.proceeds(NATIVE);
        vm.expectRevert(ISaleEscrow.NothingDue.selector);
        escrow.proceeds(address(token));
    }

    function test_proceedsLeaveTheMoneyOfCancelledOrders() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        payOrder(2, NATIVE, 2 ether, 100e18);
        vm.prank(seller);
        escrow.cancelOrder(ONE);
        toDelivered();
        escrow.proceeds(NATIVE);
        vm.assertEq(treasury.balance, 2 ether);
        escrow.refund(ONE);
        vm.assertEq(buyer.balance, 1 ether);
    }

    function test_aBeneficiaryClaimsAlongTheSchedule() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        vm.assertEq(escrow.claimable(ONE), 0);
        toDelivered();
        uint256 from = block.timestamp;
        vm.assertEq(escrow.claimable(ONE), 20e18);
        vm.expectEmit(address(escrow));
        emit ISaleEscrow.Claimed(ONE, holder, 20e18);
        vm.prank(stranger);
        escrow.claim(ONE);
        vm.warp(from + 30 days);
        vm.expectRevert(ISaleEscrow.NothingDue.selector);
        escrow.claim(ONE);
        vm.warp(from + 30 days + 45 days);
        escrow.claim(ONE);
        vm.assertEq(token.balanceOf(holder), 40e18);
        vm.assertEq(escrow.claimedOf(ONE), 40e18);
        vm.assertEq(escrow.claimed(), 40e18);
        vm.warp(from + 210 days);
        escrow.claim(ONE);
        vm.assertEq(token.balanceOf(holder), 100e18);
        vm.expectRevert(ISaleEscrow.NothingDue.selector);
        escrow.claim(ONE);
    }

    function test_claimsNeverExpire() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        toDelivered();
        escrow.leftover();
        vm.warp(START + 100 * 365 days);
        escrow.claim(ONE);
        vm.assertEq(token.balanceOf(holder), 100e18);
    }

    function test_refusesAClaimBeforeDeliveryAndWhileRefunding() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        toReviewed();
        vm.expectRevert(ISaleEscrow.NotDelivered.selector);
        escrow.claim(ONE);
        toRefunding();
        vm.expectRevert(ISaleEscrow.NotDelivered.selector);
        escrow.claim(ONE);
    }

    function test_refusesAClaimOfNoOrderAndOfACancelledOne() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        vm.prank(seller);
        escrow.cancelOrder(ONE);
        toDelivered();
        vm.expectRevert(ISaleEscrow.NotLive.selector);
        escrow.claim(ONE);
        vm.expectRevert(ISaleEscrow.NotLive.selector);
        escrow.claim(bytes32(uint256(2)));
        vm.assertEq(escrow.claimable(ONE), 0);
    }

    function test_leftoverLeavesWhatIsOwed() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        toDelivered();
        escrow.claim(ONE);
        vm.expectEmit(address(escrow));
        emit ISaleEscrow.Leftover(CAP - 100e18);
        vm.prank(stranger);
        escrow.leftover();
        vm.assertEq(token.balanceOf(treasury), CAP - 100e18);
        vm.assertEq(token.balanceOf(address(escrow)), 80e18);
        vm.expectRevert(ISaleEscrow.NothingDue.selector);
        escrow.leftover();
    }

    function test_refusesLeftoverWhileTheRoundRuns() external {
        vm.expectRevert(ISaleEscrow.RoundNotOver.selector);
        escrow.leftover();
        toClosed();
        vm.expectRevert(ISaleEscrow.RoundNotOver.selector);
        escrow.leftover();
    }

    function test_leftoverOfARefundingRoundIsEveryToken() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        toRefunding();
        escrow.leftover();
        vm.assertEq(token.balanceOf(treasury), CAP);
        escrow.refund(ONE);
        vm.assertEq(buyer.balance, 1 ether);
    }

    /// @notice Claims at any times add up to the unlocked part, never exceed the order, and end with all of
    /// it.
    function testFuzz_claimsFollowTheCurve(uint88 tokens, uint32[4] calldata pauses) external {
        uint256 amount = between(tokens, 1, CAP);
        payOrder(1, NATIVE, 1 ether, amount);
        toDelivered();
        uint256 from = block.timestamp;
        uint256 had = 0;
        for (uint256 i = 0; i < 4; i++) {
            vm.warp(block.timestamp + pauses[i] % 90 days);
            uint256 due = escrow.claimable(ONE);
            if (due > 0) escrow.claim(ONE);
            had += due;
            vm.assertEq(token.balanceOf(holder), had);
            uint256 elapsed = block.timestamp - from;
            uint256 free = amount / 5;
            if (elapsed > 30 days) free += (amount - amount / 5) * (elapsed - 30 days) / 180 days;
            vm.assertEq(had, elapsed >= 210 days ? amount : free);
        }
        vm.warp(from + 210 days);
        if (escrow.claimable(ONE) > 0) escrow.claim(ONE);
        vm.assertEq(token.balanceOf(holder), amount);
    }
}
