// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {ISaleEscrow} from "../src/ISaleEscrow.sol";
import {EscrowBase} from "./support/EscrowBase.sol";

contract EscrowPayTest is EscrowBase {
    uint256 private constant PAYER_KEY = 0xB1;

    function refused(ISaleEscrow.Quote memory quote, bytes memory signature, uint256 value, bytes4 refusal) private {
        vm.deal(quote.payer, value);
        vm.prank(quote.payer);
        vm.expectRevert(refusal);
        escrow.pay{value: value}(quote, signature);
    }

    function refused(ISaleEscrow.Quote memory quote, bytes4 refusal) private {
        refused(quote, signed(quote), quote.asset == NATIVE ? quote.amount : 0, refusal);
    }

    function ether1() private view returns (ISaleEscrow.Quote memory) {
        return quoteFor(1, buyer, NATIVE, 1 ether, 100e18);
    }

    function test_aPaymentInCoinIsBookedAndTold() external {
        ISaleEscrow.Quote memory quote = ether1();
        bytes memory signature = signed(quote);
        vm.deal(buyer, 1 ether);
        vm.expectEmit(address(escrow));
        emit ISaleEscrow.Paid(quote.orderId, buyer, holder, NATIVE, 1 ether, 100e18);
        vm.prank(buyer);
        escrow.pay{value: 1 ether}(quote, signature);
        ISaleEscrow.Order memory order = escrow.order(quote.orderId);
        vm.assertEq(order.payer, buyer);
        vm.assertEq(order.beneficiary, holder);
        vm.assertEq(order.amount, 1 ether);
        vm.assertEq(order.tokens, 100e18);
        vm.assertEq(order.asset, 1);
        vm.assertTrue(order.state == ISaleEscrow.OrderState.Paid);
        vm.assertEq(escrow.owed(), 100e18);
        vm.assertEq(escrow.raised(NATIVE), 1 ether);
        vm.assertEq(address(escrow).balance, 1 ether);
    }

    function test_aPaymentInATokenIsTakenFromThePayer() external {
        payOrder(1, address(usd), 50e18, 100e18);
        vm.assertEq(usd.balanceOf(address(escrow)), 50e18);
        vm.assertEq(usd.balanceOf(buyer), 0);
        vm.assertEq(escrow.raised(address(usd)), 50e18);
        vm.assertEq(escrow.order(bytes32(uint256(1))).asset, 2);
    }

    function test_aTokenThatReturnsNothingIsTaken() external {
        payOrder(1, address(tether), 50e6, 100e18);
        vm.assertEq(tether.balanceOf(address(escrow)), 50e6);
        vm.assertEq(escrow.raised(address(tether)), 50e6);
    }

    function test_booksAddUpOverOrdersAndAssets() external {
        payOrder(1, NATIVE, 1 ether, 100e18);
        payOrder(2, NATIVE, 2 ether, 200e18);
        payOrder(3, address(usd), 7e18, 30e18);
        vm.assertEq(escrow.raised(NATIVE), 3 ether);
        vm.assertEq(escrow.raised(address(usd)), 7e18);
        vm.assertEq(escrow.owed(), 330e18);
    }

    function test_refusesAfterClosing() external {
        vm.warp(START + 30 days - 1);
        payOrder(1, NATIVE, 1 ether, 1e18);
        toClosed();
        ISaleEscrow.Quote memory quote = quoteFor(2, buyer, NATIVE, 1 ether, 1e18);
        refused(quote, ISaleEscrow.NotOpen.selector);
    }

    function test_refusesBeforeTheTokensAreLocked() external {
        escrow = make(terms());
        refused(ether1(), ISaleEscrow.NotLocked.selector);
        lockTokens();
        pay(ether1());
    }

    function test_aRoundThatDoesNotLockFirstTakesPaymentsAtOnce() external {
        makeUnlocked();
        pay(ether1());
        vm.assertFalse(escrow.locked());
    }

    function test_refusesAnotherPayer() external {
        ISaleEscrow.Quote memory quote = ether1();
        bytes memory signature = signed(quote);
        vm.deal(stranger, 1 ether);
        vm.prank(stranger);
        vm.expectRevert(ISaleEscrow.WrongPayer.selector);
        escrow.pay{value: 1 ether}(quote, signature);
    }

    function test_refusesAQuoteThatIsNoLongerValid() external {
        ISaleEscrow.Quote memory quote = ether1();
        vm.warp(quote.validUntil + 1);
        refused(quote, ISaleEscrow.QuoteExpired.selector);
        vm.warp(quote.validUntil);
        pay(quote);
    }

    function test_refusesNothingAndTooMuch() external {
        refused(quoteFor(1, buyer, NATIVE, 0, 1), ISaleEscrow.AmountOutOfRange.selector);
        refused(quoteFor(1, buyer, NATIVE, 1, 0), ISaleEscrow.AmountOutOfRange.selector);
        refused(quoteFor(1, buyer, address(usd), 1 << 88, 1), ISaleEscrow.AmountOutOfRange.selector);
        refused(quoteFor(1, buyer, NATIVE, 1, 1 << 88), ISaleEscrow.AmountOutOfRange.selector);
        payOrder(1, address(usd), type(uint88).max, 1);
        vm.assertEq(escrow.order(bytes32(uint256(1))).amount, type(uint88).max);
    }

    function test_refusesABeneficiaryThatCouldNeverUseTheTokens() external {
        address[3] memory lost = [address(0), address(escrow), address(token)];
        for (uint256 i = 0; i < 3; i++) {
            ISaleEscrow.Quote memory quote = ether1();
            quote.beneficiary = lost[i];
            refused(quote, ISaleEscrow.BadBeneficiary.selector);
        }
    }

    function test_refusesToPayAnOrderTwice() external {
        pay(ether1());
        refused(ether1(), ISaleEscrow.OrderExists.selector);
        vm.prank(seller);
        escrow.cancelOrder(bytes32(uint256(1)));
        refused(ether1(), ISaleEscrow.OrderExists.selector);
        escrow.refund(bytes32(uint256(1)));
        refused(ether1(), ISaleEscrow.OrderExists.selector);
    }

    function test_refusesAnAssetThatIsNotListed() external {
        refused(quoteFor(1, buyer, stranger, 1, 1), ISaleEscrow.UnknownAsset.selector);
        refused(quoteFor(1, buyer, address(token), 1, 1), ISaleEscrow.UnknownAsset.selector);
    }

    function test_refusesAnotherSigner() external {
        ISaleEscrow.Quote memory quote = ether1();
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY + 1, escrow.hashOf(quote));
        refused(quote, abi.encodePacked(r, s, v), 1 ether, ISaleEscrow.WrongSignature.selector);
    }

    function test_refusesAnEmptyABrokenAndAMirroredSignature() external {
        ISaleEscrow.Quote memory quote = ether1();
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, escrow.hashOf(quote));
        bytes32 mirrored = bytes32(0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141 - uint256(s));
        bytes[3] memory signatures =
            [bytes(""), abi.encodePacked(r, s, uint8(0)), abi.encodePacked(r, mirrored, uint8(55 - v))];
        vm.deal(buyer, 1 ether);
        for (uint256 i = 0; i < 3; i++) {
            vm.prank(buyer);
            vm.expectRevert();
            escrow.pay{value: 1 ether}(quote, signatures[i]);
        }
    }

    function test_withoutAQuoteKeyNoSignatureFits() external {
        vm.prank(seller);
        escrow.setQuoteKey(address(0));
        refused(ether1(), ISaleEscrow.WrongSignature.selector);
        bytes memory invalid = abi.encodePacked(bytes32(0), bytes32(0), uint8(27));
        refused(ether1(), invalid, 1 ether, ECDSA.ECDSAInvalidSignature.selector);
    }

    function test_refusesAQuoteOfAnotherEscrow() external {
        ISaleEscrow.Quote memory quote = ether1();
        bytes memory signature = signed(quote);
        escrow = make(terms());
        lockTokens();
        refused(quote, signature, 1 ether, ISaleEscrow.WrongSignature.selector);
    }

    function test_refusesAQuoteOfAnotherChain() external {
        ISaleEscrow.Quote memory quote = ether1();
        bytes memory signature = signed(quote);
        vm.chainId(10);
        refused(quote, signature, 1 ether, ISaleEscrow.WrongSignature.selector);
    }

    function test_refusesMoreThanTheCapAndTakesAllOfIt() external {
        payOrder(1, NATIVE, 1 ether, CAP - 1e18);
        refused(quoteFor(2, buyer, NATIVE, 1 ether, 1e18 + 1), ISaleEscrow.OverCap.selector);
        payOrder(2, NATIVE, 1 ether, 1e18);
        vm.assertEq(escrow.owed(), CAP);
    }

    function test_aCancelledOrderFreesItsPartOfTheCap() external {
        payOrder(1, NATIVE, 1 ether, CAP);
        vm.prank(seller);
        escrow.cancelOrder(bytes32(uint256(1)));
        payOrder(2, NATIVE, 1 ether, CAP);
        vm.assertEq(escrow.owed(), CAP);
    }

    function test_refusesAnotherValueThanTheQuoteAsks() external {
        ISaleEscrow.Quote memory quote = ether1();
        bytes memory signature = signed(quote);
        refused(quote, signature, 1 ether - 1, ISaleEscrow.WrongValue.selector);
        refused(quote, signature, 1 ether + 1, ISaleEscrow.WrongValue.selector);
        refused(quote, signature, 0, ISaleEscrow.WrongValue.selector);
    }

    function test_refusesCoinBesideAToken() external {
        ISaleEscrow.Quote memory quote = quoteFor(1, buyer, address(usd), 5e18, 1e18);
        provide(buyer, address(usd), 5e18);
        refused(quote, signed(quote), 1, ISaleEscrow.WrongValue.selector);
    }

    function test_refusesATokenThatWasNotAllowed() external {
        ISaleEscrow.Quote memory quote = quoteFor(1, buyer, address(usd), 5e18, 1e18);
        usd.mint(buyer, 5e18);
        bytes memory signature = signed(quote);
        vm.prank(buyer);
        vm.expectRevert();
        escrow.pay(quote, signature);
    }

    function test_refusesCoinThatIsSimplySent() external {
        vm.deal(stranger, 1 ether);
        vm.prank(stranger);
        (bool ok,) = address(escrow).call{value: 1 ether}("");
        vm.assertFalse(ok);
    }

    /// @notice Any change of a quote invalidates its signature.
    function testFuzz_refusesAQuoteThatWasChangedAfterSigning(uint256 field, uint256 change) external {
        ISaleEscrow.Quote memory quote = quoteFor(1, buyer, address(usd), 50e18, 100e18);
        bytes memory signature = signed(quote);
        field = field % 7;
        change = between(change, 1, 1e9);
        if (field == 0) quote.orderId = bytes32(uint256(quote.orderId) + change);
        if (field == 1) quote.payer = address(uint160(quote.payer) + uint160(change));
        if (field == 2) quote.beneficiary = address(uint160(quote.beneficiary) + uint160(change));
        if (field == 3) quote.asset = change % 2 == 0 ? NATIVE : address(tether);
        if (field == 4) quote.amount -= change;
        if (field == 5) quote.tokens += change;
        if (field == 6) quote.validUntil += change;
        refused(quote, signature, quote.asset == NATIVE ? quote.amount : 0, ISaleEscrow.WrongSignature.selector);
    }

    function testFuzz_everyAmountInRangeIsBookedExactly(uint88 amount, uint88 tokens, bool isNative) external {
        amount = uint88(between(amount, 1, type(uint88).max - 1));
        tokens = uint88(between(tokens, 1, CAP));
        address asset = isNative ? NATIVE : address(usd);
        payOrder(1, asset, amount, tokens);
        ISaleEscrow.Order memory order = escrow.order(bytes32(uint256(1)));
        vm.assertEq(order.amount, amount);
        vm.assertEq(order.tokens, tokens);
        vm.assertEq(escrow.raised(asset), amount);
        vm.assertEq(balance(asset, address(escrow)), amount);
    }

    function permitFor(uint256 amount, uint256 deadline) private view returns (ISaleEscrow.Permit memory permit) {
        address payer = vm.addr(PAYER_KEY);
        bytes32 kind = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 hash = keccak256(abi.encode(kind, payer, address(escrow), amount, usd.nonces(payer), deadline));
        permit.deadline = deadline;
        (permit.v, permit.r, permit.s) =
            vm.sign(PAYER_KEY, keccak256(abi.encodePacked("\x19\x01", usd.DOMAIN_SEPARATOR(), hash)));
    }

    function test_aPermitPaysWithoutAnAllowance() external {
        address payer = vm.addr(PAYER_KEY);
        usd.mint(payer, 5e18);
        ISaleEscrow.Quote memory quote = quoteFor(1, payer, address(usd), 5e18, 1e18);
        bytes memory signature = signed(quote);
        ISaleEscrow.Permit memory permit = permitFor(5e18, block.timestamp);
        vm.prank(payer);
        escrow.payWithPermit(quote, signature, permit);
        vm.assertEq(escrow.raised(address(usd)), 5e18);
    }

    function test_aPermitThatSomebodyUsedBeforeStillPays() external {
        address payer = vm.addr(PAYER_KEY);
        usd.mint(payer, 5e18);
        ISaleEscrow.Quote memory quote = quoteFor(1, payer, address(usd), 5e18, 1e18);
        bytes memory signature = signed(quote);
        ISaleEscrow.Permit memory permit = permitFor(5e18, block.timestamp);
        vm.prank(stranger);
        usd.permit(payer, address(escrow), 5e18, permit.deadline, permit.v, permit.r, permit.s);
        vm.prank(payer);
        escrow.payWithPermit(quote, signature, permit);
        vm.assertEq(escrow.raised(address(usd)), 5e18);
    }

    function test_refusesAPermitThatDoesNotFit() external {
        address payer = vm.addr(PAYER_KEY);
        usd.mint(payer, 5e18);
        ISaleEscrow.Quote memory quote = quoteFor(1, payer, address(usd), 5e18, 1e18);
        bytes memory signature = signed(quote);
        ISaleEscrow.Permit memory permit = permitFor(4e18, block.timestamp);
        vm.prank(payer);
        vm.expectRevert();
        escrow.payWithPermit(quote, signature, permit);
    }

    function test_payingWithAPermitRefusesWhatPayingRefuses() external {
        ISaleEscrow.Permit memory permit;
        ISaleEscrow.Quote memory quote = ether1();
        bytes memory signature = signed(quote);
        vm.prank(stranger);
        vm.expectRevert(ISaleEscrow.WrongPayer.selector);
        escrow.payWithPermit(quote, signature, permit);
        vm.prank(buyer);
        vm.expectRevert(ISaleEscrow.WrongValue.selector);
        escrow.payWithPermit(quote, signature, permit);
    }
}
