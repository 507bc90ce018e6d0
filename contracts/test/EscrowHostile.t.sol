// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ISaleEscrow} from "../src/ISaleEscrow.sol";
import {NotAccepted, WrongAmountReceived} from "../src/Money.sol";
import {EscrowBase} from "./support/EscrowBase.sol";
import {GreedyWallet, ReentrantWallet, RefusingWallet, TalkativeWallet} from "./support/Payers.sol";
import {HostileToken} from "./support/Tokens.sol";

/// @notice Misbehaving tokens, payers and treasuries only harm themselves.
contract EscrowHostileTest is EscrowBase {
    bytes32 private constant ONE = bytes32(uint256(1));
    bytes32 private constant TWO = bytes32(uint256(2));
    bytes4 private constant REENTERED = ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector;

    function payBy(uint256 id, RefusingWallet wallet, uint256 amount) private {
        ISaleEscrow.Quote memory quote = quoteFor(id, address(wallet), NATIVE, amount, 100e18);
        bytes memory data = abi.encodeCall(ISaleEscrow.pay, (quote, signed(quote)));
        vm.deal(address(this), amount);
        wallet.call{value: amount}(address(escrow), amount, data);
    }

    function payTetherRefused(bytes4 refusal) private {
        ISaleEscrow.Quote memory quote = quoteFor(1, buyer, address(tether), 100e6, 1e18);
        provide(buyer, address(tether), 100e6);
        bytes memory signature = signed(quote);
        vm.prank(buyer);
        vm.expectPartialRevert(refusal);
        escrow.pay(quote, signature);
        vm.assertEq(escrow.owed(), 0);
    }

    function test_refusesATokenThatTakesAFee() external {
        tether.setFee(100);
        payTetherRefused(WrongAmountReceived.selector);
    }

    function test_refusesATokenThatAnswersNo() external {
        tether.setAnswer(HostileToken.Answer.No);
        payTetherRefused(SafeERC20.SafeERC20FailedOperation.selector);
    }

    function test_takesATokenThatAnswersYes() external {
        tether.setAnswer(HostileToken.Answer.Yes);
        payOrder(1, address(tether), 100e6, 1e18);
        toRefunding();
        escrow.refund(ONE);
        vm.assertEq(tether.balanceOf(buyer), 100e6);
    }

    function test_refusesATokenThatReverts() external {
        tether.setFrozen(true);
        payTetherRefused(HostileToken.Frozen.selector);
    }

    function test_aTokenCannotPayAgainDuringAPayment() external {
        ISaleEscrow.Quote memory quote = quoteFor(2, address(tether), NATIVE, 1, 1e18);
        tether.setCall(address(escrow), abi.encodeCall(ISaleEscrow.pay, (quote, signed(quote))));
        payOrder(1, address(tether), 100e6, 1e18);
        vm.assertFalse(tether.reentered());
        vm.assertEq(bytes32(tether.refusal()), bytes32(REENTERED));
    }

    function test_nothingIsEnteredAgainDuringARefund() external {
        payOrder(1, address(tether), 100e6, 1e18);
        payOrder(2, address(tether), 100e6, 1e18);
        toRefunding();
        bytes[6] memory calls = [
            abi.encodeCall(ISaleEscrow.refund, (TWO)),
            abi.encodeCall(ISaleEscrow.refundTo, (TWO, stranger)),
            abi.encodeCall(ISaleEscrow.leftover, ()),
            abi.encodeCall(ISaleEscrow.claim, (TWO)),
            abi.encodeCall(ISaleEscrow.proceeds, (address(tether))),
            abi.encodeCall(ISaleEscrow.lock, ())
        ];
        for (uint256 i = 0; i < 6; i++) {
            if (i > 0) {
                vm.warp(START);
                payOrder(10 + i, address(tether), 100e6, 1e18);
                toRefunding();
            }
            tether.setCall(address(escrow), calls[i]);
            escrow.refund(i == 0 ? ONE : bytes32(10 + i));
            vm.assertFalse(tether.reentered());
            vm.assertEq(bytes32(tether.refusal()), bytes32(REENTERED));
            tether.setCall(address(0), "");
        }
    }

    function test_deliveringAndPayingByPermitAreNotEnteredAgain() external {
        payOrder(1, address(tether), 100e6, 1e18);
        toRefunding();
        tether.setCall(address(escrow), abi.encodeCall(ISaleEscrow.deliver, (CAP)));
        escrow.refund(ONE);
        vm.assertEq(bytes32(tether.refusal()), bytes32(REENTERED));
        vm.warp(START);
        ISaleEscrow.Quote memory quote = quoteFor(3, address(tether), address(usd), 1, 1e18);
        ISaleEscrow.Permit memory permit;
        tether.setCall(address(escrow), abi.encodeCall(ISaleEscrow.payWithPermit, (quote, signed(quote), permit)));
        payOrder(4, address(tether), 100e6, 1e18);
        vm.assertEq(bytes32(tether.refusal()), bytes32(REENTERED));
    }

    function test_aPayerThatCallsBackDuringItsRefundGetsItOnce() external {
        ReentrantWallet wallet = new ReentrantWallet();
        payBy(1, wallet, 1 ether);
        payOrder(2, NATIVE, 5 ether, 100e18);
        wallet.setCall(address(escrow), abi.encodeCall(ISaleEscrow.refund, (ONE)));
        toRefunding();
        escrow.refund(ONE);
        vm.assertFalse(wallet.reentered());
        vm.assertEq(bytes32(wallet.refusal()), bytes32(REENTERED));
        vm.assertEq(address(wallet).balance, 1 ether);
        vm.assertEq(address(escrow).balance, 5 ether);
    }

    function test_aPayerThatTakesNoCoinHarmsItselfAloneAndSendsItElsewhere() external {
        RefusingWallet wallet = new RefusingWallet();
        payBy(1, wallet, 1 ether);
        payOrder(2, NATIVE, 2 ether, 100e18);
        toRefunding();
        vm.expectRevert(abi.encodeWithSelector(NotAccepted.selector, address(wallet)));
        escrow.refund(ONE);
        escrow.refund(TWO);
        vm.assertEq(buyer.balance, 2 ether);
        wallet.call(address(escrow), 0, abi.encodeCall(ISaleEscrow.refundTo, (ONE, stranger)));
        vm.assertEq(stranger.balance, 1 ether);
    }

    function test_aPayerThatBurnsGasBurnsLittle() external {
        GreedyWallet wallet = new GreedyWallet();
        payBy(1, wallet, 1 ether);
        toRefunding();
        uint256 before = gasleft();
        vm.expectRevert(abi.encodeWithSelector(NotAccepted.selector, address(wallet)));
        escrow.refund(ONE);
        vm.assertLe(before - gasleft(), 200_000);
    }

    function test_aPayerThatAnswersAtLengthIsNotListenedTo() external {
        TalkativeWallet wallet = new TalkativeWallet();
        payBy(1, wallet, 1 ether);
        toRefunding();
        uint256 before = gasleft();
        escrow.refund(ONE);
        vm.assertLe(before - gasleft(), 80_000);
        vm.assertEq(address(wallet).balance, 1 ether);
    }

    function test_aPayerOnADenyListSendsItsRefundElsewhere() external {
        payOrder(1, address(tether), 100e6, 1e18);
        payOrder(2, NATIVE, 1 ether, 1e18);
        toRefunding();
        tether.setDenied(buyer, true);
        vm.expectRevert(HostileToken.Denied.selector);
        escrow.refund(ONE);
        escrow.refund(TWO);
        vm.prank(buyer);
        escrow.refundTo(ONE, holder);
        vm.assertEq(tether.balanceOf(holder), 100e6);
    }

    function test_anAssetThatIsFrozenHoldsUpNeitherDeliveryNorTheOthers() external {
        payOrder(1, address(tether), 100e6, 1e18);
        payOrder(2, address(usd), 100e18, 1e18);
        tether.setFrozen(true);
        toDelivered();
        vm.expectRevert(HostileToken.Frozen.selector);
        escrow.proceeds(address(tether));
        escrow.proceeds(address(usd));
        escrow.claim(ONE);
        escrow.claim(TWO);
        tether.setFrozen(false);
        escrow.proceeds(address(tether));
        vm.assertEq(tether.balanceOf(treasury), 100e6);
    }

    function test_aTreasuryThatTakesNoCoinHoldsUpNeitherClaimsNorOtherAssets() external {
        ISaleEscrow.Terms memory with = terms();
        RefusingWallet wallet = new RefusingWallet();
        with.treasury = address(wallet);
        escrow = make(with);
        lockTokens();
        payOrder(1, NATIVE, 1 ether, 1e18);
        payOrder(2, address(usd), 100e18, 1e18);
        toDelivered();
        vm.expectRevert(abi.encodeWithSelector(NotAccepted.selector, address(wallet)));
        escrow.proceeds(NATIVE);
        vm.assertEq(escrow.raised(NATIVE), 1 ether);
        escrow.proceeds(address(usd));
        escrow.claim(ONE);
        vm.assertEq(usd.balanceOf(address(wallet)), 100e18);
    }

    /// @notice A safe that receives coins may use more gas than the 100,000 of refunds.
    function test_theTreasuryMaySpendGas() external {
        ISaleEscrow.Terms memory with = terms();
        with.treasury = address(new SpendingSafe());
        escrow = make(with);
        lockTokens();
        payOrder(1, NATIVE, 1 ether, 1e18);
        toDelivered();
        escrow.proceeds(NATIVE);
        vm.assertEq(with.treasury.balance, 1 ether);
    }

    function test_strayMoneyIsNobodys() external {
        payOrder(1, NATIVE, 1 ether, 1e18);
        payOrder(2, address(usd), 5e18, 1e18);
        vm.deal(address(escrow), 4 ether);
        usd.mint(address(escrow), 3e18);
        toDelivered();
        escrow.proceeds(NATIVE);
        escrow.proceeds(address(usd));
        vm.assertEq(treasury.balance, 1 ether);
        vm.assertEq(usd.balanceOf(treasury), 5e18);
    }

    function test_aSoldTokenThatTakesAFeeIsNotDelivered() external {
        HostileToken sold = new HostileToken();
        sold.mint(seller, CAP);
        sold.setFee(1);
        ISaleEscrow.Terms memory with = terms();
        with.token = IERC20(address(sold));
        escrow = make(with);
        vm.prank(seller);
        sold.approve(address(escrow), CAP);
        vm.prank(seller);
        vm.expectRevert(WrongAmountReceived.selector);
        escrow.lock();
    }
}

contract SpendingSafe {
    mapping(uint256 => uint256) private _log;

    receive() external payable {
        for (uint256 i = 0; i < 6; i++) {
            _log[i] = block.timestamp;
        }
    }
}
