// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {ISaleEscrow} from "../src/ISaleEscrow.sol";
import {EscrowBase} from "./support/EscrowBase.sol";

/// @notice Refunds, and the seller's rights.
contract EscrowRefundTest is EscrowBase {
    bytes32 private constant ONE = bytes32(uint256(1));
    bytes32 private constant TWO = bytes32(uint256(2));

    function refundRefused(bytes32 orderId, bytes4 refusal) private {
        vm.expectRevert(refusal);
        escrow.refund(orderId);
    }

    function test_anyoneRefundsOnceDeliveryIsOverdue() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        payOrder(2, address(usd), 7e18, 50e18);
        toRefunding();
        vm.expectEmit(address(escrow));
        emit ISaleEscrow.Refunded(ONE, buyer, NATIVE, 1 ether);
        vm.prank(stranger);
        escrow.refund(ONE);
        vm.assertEq(buyer.balance, 1 ether);
        vm.assertEq(escrow.owed(), 50e18);
        vm.assertEq(escrow.raised(NATIVE), 0);
        vm.assertTrue(escrow.order(ONE).state == ISaleEscrow.OrderState.Refunded);
        escrow.refund(TWO);
        vm.assertEq(usd.balanceOf(buyer), 7e18);
        vm.assertEq(escrow.owed(), 0);
    }

    function test_refusesARefundInTheLastSecondOfDelivery() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        vm.warp(START + 60 days);
        refundRefused(ONE, ISaleEscrow.NotRefundable.selector);
    }

    function test_refusesARefundWhileTheRoundRuns() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        refundRefused(ONE, ISaleEscrow.NotRefundable.selector);
        toClosed();
        refundRefused(ONE, ISaleEscrow.NotRefundable.selector);
    }

    function test_refusesARefundTwiceAndOfNoOrder() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        payOrder(2, NATIVE, 1 ether, 100e18);
        toRefunding();
        escrow.refund(ONE);
        refundRefused(ONE, ISaleEscrow.NotRefundable.selector);
        refundRefused(bytes32(uint256(3)), ISaleEscrow.NotRefundable.selector);
        vm.assertEq(buyer.balance, 1 ether);
    }

    function test_aCancelledOrderIsRefundedAtOnceAndOnce() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        payOrder(2, NATIVE, 2 ether, 50e18);
        vm.expectEmit(address(escrow));
        emit ISaleEscrow.OrderCancelled(ONE);
        vm.prank(seller);
        escrow.cancelOrder(ONE);
        vm.assertEq(escrow.owed(), 50e18);
        vm.assertEq(escrow.raised(NATIVE), 2 ether);
        vm.assertTrue(escrow.order(ONE).state == ISaleEscrow.OrderState.Cancelled);
        escrow.refund(ONE);
        vm.assertEq(buyer.balance, 1 ether);
        vm.assertEq(escrow.owed(), 50e18);
        vm.assertEq(escrow.raised(NATIVE), 2 ether);
        refundRefused(ONE, ISaleEscrow.NotRefundable.selector);
    }

    function test_aCancelledOrderIsRefundedWhateverBecomesOfTheRound() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        payOrder(2, NATIVE, 1 ether, 100e18);
        vm.prank(seller);
        escrow.cancelOrder(ONE);
        vm.prank(seller);
        escrow.cancelOrder(TWO);
        toDelivered();
        escrow.refund(ONE);
        vm.warp(START + 365 days);
        escrow.refund(TWO);
        vm.assertEq(buyer.balance, 2 ether);
    }

    function test_thePayerAloneSendsTheRefundElsewhere() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        toRefunding();
        vm.prank(stranger);
        vm.expectRevert(ISaleEscrow.OnlyPayer.selector);
        escrow.refundTo(ONE, stranger);
        vm.prank(holder);
        vm.expectRevert(ISaleEscrow.OnlyPayer.selector);
        escrow.refundTo(ONE, holder);
        vm.prank(buyer);
        escrow.refundTo(ONE, holder);
        vm.assertEq(holder.balance, 1 ether);
    }

    function test_refusesToSendARefundWhereNobodyHasIt() external {
        payOrder(1, address(usd), 1e18, 100e18);
        toRefunding();
        vm.prank(buyer);
        vm.expectRevert(ISaleEscrow.BadRecipient.selector);
        escrow.refundTo(ONE, address(0));
        vm.prank(buyer);
        vm.expectRevert(ISaleEscrow.BadRecipient.selector);
        escrow.refundTo(ONE, address(escrow));
    }

    function test_refusesToSendARefundElsewhereThatIsNotDue() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        vm.prank(buyer);
        vm.expectRevert(ISaleEscrow.NotRefundable.selector);
        escrow.refundTo(ONE, holder);
    }

    function test_theSellerClosesEarlyAndOnlyOnce() external {
        vm.expectEmit(address(escrow));
        emit ISaleEscrow.Closed(START);
        vm.prank(seller);
        escrow.close();
        vm.assertEq(escrow.closeAt(), START);
        vm.assertTrue(escrow.state() == ISaleEscrow.RoundState.Closed);
        vm.prank(seller);
        vm.expectRevert(ISaleEscrow.NotOpen.selector);
        escrow.close();
    }

    function test_theSellerCancelsARoundThatIsNotLocked() external {
        makeUnlocked();
        payOrder(1, NATIVE, 1 ether, 100e18);
        vm.expectEmit(address(escrow));
        emit ISaleEscrow.RoundCancelled();
        vm.prank(seller);
        escrow.cancelRound();
        vm.assertTrue(escrow.cancelled());
        vm.assertTrue(escrow.state() == ISaleEscrow.RoundState.Refunding);
        escrow.refund(ONE);
        vm.assertEq(buyer.balance, 1 ether);
        vm.prank(seller);
        vm.expectRevert(ISaleEscrow.RoundOver.selector);
        escrow.cancelRound();
    }

    function test_refusesToCancelARoundThatIsLocked() external {
        vm.prank(seller);
        vm.expectRevert(ISaleEscrow.AlreadyLocked.selector);
        escrow.cancelRound();
    }

    function test_refusesToCancelOnceDeliveredOrRefunding() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        toDelivered();
        vm.prank(seller);
        vm.expectRevert(ISaleEscrow.RoundOver.selector);
        escrow.cancelOrder(ONE);
        vm.prank(seller);
        vm.expectRevert(ISaleEscrow.RoundOver.selector);
        escrow.cancelRound();
        vm.warp(START);
        makeUnlocked();
        payOrder(1, NATIVE, 1 ether, 100e18);
        toRefunding();
        vm.prank(seller);
        vm.expectRevert(ISaleEscrow.RoundOver.selector);
        escrow.cancelOrder(ONE);
    }

    function test_refusesToCancelAnOrderTwiceOrOneThatIsNotThere() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        vm.prank(seller);
        escrow.cancelOrder(ONE);
        vm.prank(seller);
        vm.expectRevert(ISaleEscrow.NotLive.selector);
        escrow.cancelOrder(ONE);
        vm.prank(seller);
        vm.expectRevert(ISaleEscrow.NotLive.selector);
        escrow.cancelOrder(TWO);
    }

    function test_nobodyButTheSellerDoesWhatTheSellerCan() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        address[3] memory others = [stranger, buyer, vm.addr(KEY)];
        for (uint256 i = 0; i < 3; i++) {
            vm.prank(others[i]);
            vm.expectRevert(ISaleEscrow.OnlySeller.selector);
            escrow.close();
            vm.prank(others[i]);
            vm.expectRevert(ISaleEscrow.OnlySeller.selector);
            escrow.cancelOrder(ONE);
            vm.prank(others[i]);
            vm.expectRevert(ISaleEscrow.OnlySeller.selector);
            escrow.cancelRound();
            vm.prank(others[i]);
            vm.expectRevert(ISaleEscrow.OnlySeller.selector);
            escrow.setQuoteKey(others[i]);
        }
    }

    function test_aNewQuoteKeyEndsWhatTheOldOneSigned() external {
        ISaleEscrow.Quote memory quote = quoteFor(1, buyer, NATIVE, 1 ether, 100e18);
        bytes memory old = signed(quote);
        vm.expectEmit(address(escrow));
        emit ISaleEscrow.QuoteKeyChanged(vm.addr(KEY + 1));
        vm.prank(seller);
        escrow.setQuoteKey(vm.addr(KEY + 1));
        vm.deal(buyer, 1 ether);
        vm.prank(buyer);
        vm.expectRevert(ISaleEscrow.WrongSignature.selector);
        escrow.pay{value: 1 ether}(quote, old);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY + 1, escrow.hashOf(quote));
        vm.prank(buyer);
        escrow.pay{value: 1 ether}(quote, abi.encodePacked(r, s, v));
        vm.assertEq(escrow.owed(), 100e18);
    }

    /// @notice Orders sold by a stolen quote key in the last second can be cancelled in the review.
    function test_whatAStolenQuoteKeySoldIsCancelledDuringTheReview() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        vm.warp(START + 30 days - 1);
        ISaleEscrow.Quote memory theft = quoteFor(2, stranger, NATIVE, 1, CAP - 100e18);
        theft.beneficiary = stranger;
        pay(theft);
        toClosed();
        vm.prank(stranger);
        vm.expectRevert(ISaleEscrow.InReview.selector);
        escrow.deliver(CAP);
        vm.prank(seller);
        vm.expectRevert(ISaleEscrow.OverLimit.selector);
        escrow.deliver(100e18);
        vm.prank(seller);
        escrow.cancelOrder(TWO);
        vm.prank(seller);
        escrow.deliver(100e18);
        vm.expectRevert(ISaleEscrow.NotLive.selector);
        escrow.claim(TWO);
        escrow.leftover();
        vm.assertEq(token.balanceOf(treasury), CAP - 100e18);
    }

    function testFuzz_aRefundIsWhatWasPaid(uint88 amount, bool isNative, bool isCancelled) external {
        uint256 paid = between(amount, 1, type(uint88).max);
        address asset = isNative ? NATIVE : address(tether);
        payOrder(1, asset, paid, 100e18);
        if (isCancelled) {
            vm.prank(seller);
            escrow.cancelOrder(ONE);
        } else {
            toRefunding();
        }
        escrow.refund(ONE);
        vm.assertEq(balance(asset, buyer), paid);
        vm.assertEq(balance(asset, address(escrow)), 0);
    }
}
