// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {ISaleEscrow} from "../src/ISaleEscrow.sol";
import {EscrowBase} from "./support/EscrowBase.sol";
import {RefusingWallet} from "./support/Payers.sol";

/// @notice Plays a round with all permitted calls by all callers at any time, and keeps its own accounts.
contract EscrowPlay is EscrowBase {
    struct Known {
        address payer;
        address beneficiary;
        address asset;
        uint256 amount;
        uint256 tokens;
        bool isCancelled;
        bool isRefunded;
        uint256 claimed;
    }

    Known[] private _orders;
    address[3] public assets;
    address[4] private _payers;
    RefusingWallet private _refusing;
    mapping(address asset => uint256) public paidIn;
    mapping(address asset => uint256) public paidBack;
    mapping(address asset => uint256) public paidOut;
    mapping(address asset => uint256) public strays;
    uint256 public strayTokens;
    uint256 public leftoverTokens;
    bool public wasDelivered;
    bool public wasRefunding;

    constructor(bool lockFirst, uint16 startBps, uint32 cliff, uint32 linear) {
        EscrowBase.setUp();
        ISaleEscrow.Terms memory with = terms();
        (with.lockFirst, with.schedule.startBps) = (lockFirst, startBps);
        (with.schedule.cliff, with.schedule.linear) = (cliff, linear);
        escrow = make(with);
        if (lockFirst) lockTokens();
        _refusing = new RefusingWallet();
        _payers = [address(0xB1), address(0xB2), address(0xB3), address(_refusing)];
        assets = [NATIVE, address(usd), address(tether)];
    }

    function play() external view returns (ISaleEscrow) {
        return escrow;
    }

    function count() public view returns (uint256) {
        return _orders.length;
    }

    function known(uint256 i) external view returns (Known memory) {
        return _orders[i];
    }

    function tokensHeld() external view returns (uint256) {
        return token.balanceOf(address(escrow));
    }

    function held(address asset) external view returns (uint256) {
        return balance(asset, address(escrow));
    }

    function idOf(uint256 i) public pure returns (bytes32) {
        return bytes32(i + 1);
    }

    function note() private {
        ISaleEscrow.RoundState current = escrow.state();
        if (current == ISaleEscrow.RoundState.Delivered) wasDelivered = true;
        if (current == ISaleEscrow.RoundState.Refunding) wasRefunding = true;
    }

    function doPay(uint256 who, uint256 what, uint256 amount, uint256 tokens) external {
        address asset = assets[what % 3];
        address payer = _payers[who % 4];
        amount = between(amount, 1, 1e24);
        tokens = between(tokens, 1, CAP / 8);
        ISaleEscrow.Quote memory quote = quoteFor(count() + 1, payer, asset, amount, tokens);
        quote.beneficiary = address(uint160(0xBE00 + who % 5));
        provide(payer, asset, amount);
        bytes memory signature = signed(quote);
        bool isPayable = escrow.state() == ISaleEscrow.RoundState.Open && escrow.owed() + tokens <= CAP;
        vm.prank(payer);
        try escrow.pay{value: asset == NATIVE ? amount : 0}(quote, signature) {
            vm.assertTrue(isPayable, "a payment that had to be refused");
            _orders.push(Known(payer, quote.beneficiary, asset, amount, tokens, false, false, 0));
            paidIn[asset] += amount;
        } catch {
            vm.assertFalse(isPayable);
        }
        note();
    }

    function doWait(uint256 time) external {
        vm.warp(block.timestamp + time % 12 days);
        note();
    }

    function doDonate(uint256 what, uint256 amount) external {
        address asset = assets[what % 3];
        amount = between(amount, 1, 1e20);
        if (asset == NATIVE) {
            vm.deal(address(escrow), address(escrow).balance + amount);
        } else {
            usd.mint(address(0xD0), asset == address(usd) ? amount : 0);
            if (asset == address(tether)) tether.mint(address(escrow), amount);
            vm.prank(address(0xD0));
            usd.transfer(address(escrow), asset == address(usd) ? amount : 0);
        }
        strays[asset] += amount;
        note();
    }

    function doDonateTokens(uint256 amount) external {
        amount = between(amount, 1, CAP / 50);
        vm.prank(seller);
        token.transfer(address(escrow), amount);
        strayTokens += amount;
        note();
    }

    function doCancelOrder(uint256 which) external {
        if (count() == 0) return;
        uint256 i = which % count();
        vm.prank(seller);
        try escrow.cancelOrder(idOf(i)) {
            vm.assertFalse(wasDelivered || wasRefunding || _orders[i].isCancelled);
            _orders[i].isCancelled = true;
        } catch {}
        note();
    }

    function doClose(uint256 chance) external {
        if (chance % 4 != 0) return;
        vm.prank(seller);
        try escrow.close() {} catch {}
        note();
    }

    function doCancelRound(uint256 chance) external {
        if (chance % 8 != 0) return;
        vm.prank(seller);
        try escrow.cancelRound() {
            vm.assertFalse(escrow.locked());
        } catch {}
        note();
    }

    function doLock() external {
        vm.prank(seller);
        token.approve(address(escrow), CAP);
        vm.prank(seller);
        try escrow.lock() {} catch {}
        note();
    }

    function doDeliver(bool isSeller, uint256 allowed) external {
        allowed = between(allowed, 0, CAP);
        address by = isSeller ? seller : stranger;
        vm.prank(seller);
        token.approve(address(escrow), isSeller ? allowed : 0);
        vm.prank(by);
        try escrow.deliver(type(uint256).max) {
            vm.assertFalse(wasRefunding);
            vm.assertGe(token.balanceOf(address(escrow)), escrow.owed(), "delivered short");
        } catch {}
        note();
    }

    function doProceeds(uint256 what) external {
        address asset = assets[what % 3];
        uint256 before = balance(asset, treasury);
        try escrow.proceeds(asset) {
            vm.assertTrue(wasDelivered, "money without tokens");
        } catch {}
        paidOut[asset] += balance(asset, treasury) - before;
        note();
    }

    function doLeftover() external {
        uint256 before = token.balanceOf(treasury);
        try escrow.leftover() {} catch {}
        leftoverTokens += token.balanceOf(treasury) - before;
        note();
    }

    function doClaim(uint256 which) public {
        if (count() == 0) return;
        uint256 i = which % count();
        uint256 before = token.balanceOf(_orders[i].beneficiary);
        try escrow.claim(idOf(i)) {
            vm.assertTrue(wasDelivered && !_orders[i].isCancelled);
        } catch {}
        _orders[i].claimed += token.balanceOf(_orders[i].beneficiary) - before;
        note();
    }

    function doRefund(uint256 which) public {
        if (count() == 0) return;
        uint256 i = which % count();
        Known storage order = _orders[i];
        address to = order.payer == address(_refusing) ? address(0xEE) : order.payer;
        uint256 before = balance(order.asset, to);
        if (order.payer == address(_refusing)) {
            bytes memory data = abi.encodeCall(ISaleEscrow.refundTo, (idOf(i), to));
            try _refusing.call(address(escrow), 0, data) {
                refunded(order);
            } catch {}
        } else {
            try escrow.refund(idOf(i)) {
                refunded(order);
            } catch {}
        }
        paidBack[order.asset] += balance(order.asset, to) - before;
        note();
    }

    function refunded(Known storage order) private {
        vm.assertFalse(order.isRefunded);
        vm.assertTrue(order.isCancelled || (wasRefunding && !wasDelivered), "refunded what was delivered");
        order.isRefunded = true;
    }

    /// @notice Lets the time pass and pays everybody, without the seller, the sale's server or a key.
    function finish() external {
        if (!wasDelivered && !wasRefunding) {
            vm.warp(escrow.deliverBy());
            vm.prank(stranger);
            try escrow.deliver(type(uint256).max) {} catch {}
            note();
            if (!wasDelivered) vm.warp(escrow.deliverBy() + 1);
            note();
        }
        vm.warp(block.timestamp + 6 * 365 days);
        for (uint256 i = 0; i < count(); i++) {
            doClaim(i);
            doRefund(i);
        }
        for (uint256 i = 0; i < 3; i++) {
            this.doProceeds(i);
        }
        this.doLeftover();
    }
}

abstract contract EscrowInvariants is EscrowBase {
    EscrowPlay internal game;

    function newGame() internal virtual returns (EscrowPlay);

    function setUp() public override {
        game = newGame();
        escrow = game.play();
    }

    function targetContracts() external view returns (address[] memory list) {
        list = new address[](1);
        list[0] = address(game);
    }

    function targetSelectors() external view returns (Selectors[] memory) {
        // Payments are as likely as all other calls together, because a round without orders proves little.
        bytes4[] memory chosen = new bytes4[](18);
        bytes4[12] memory all = [
            EscrowPlay.doWait.selector,
            EscrowPlay.doDonate.selector,
            EscrowPlay.doDonateTokens.selector,
            EscrowPlay.doCancelOrder.selector,
            EscrowPlay.doClose.selector,
            EscrowPlay.doCancelRound.selector,
            EscrowPlay.doLock.selector,
            EscrowPlay.doDeliver.selector,
            EscrowPlay.doProceeds.selector,
            EscrowPlay.doLeftover.selector,
            EscrowPlay.doClaim.selector,
            EscrowPlay.doRefund.selector
        ];
        for (uint256 i = 0; i < 18; i++) {
            chosen[i] = i < 12 ? all[i] : EscrowPlay.doPay.selector;
        }
        return selected(address(game), chosen);
    }

    /// @notice For each asset: received = sent + balance, and the balance covers all claims.
    function invariant_moneyIsConservedAndCovered() external view {
        for (uint256 a = 0; a < 3; a++) {
            address asset = game.assets(a);
            uint256 here = game.held(asset);
            vm.assertEq(here, game.paidIn(asset) + game.strays(asset) - game.paidBack(asset) - game.paidOut(asset));
            uint256 live = 0;
            uint256 back = 0;
            for (uint256 i = 0; i < game.count(); i++) {
                EscrowPlay.Known memory order = game.known(i);
                if (order.asset != asset || order.isRefunded) continue;
                if (order.isCancelled) back += order.amount;
                else live += order.amount;
            }
            uint256 out = game.paidOut(asset);
            vm.assertEq(escrow.raised(asset), live - out, "raised is the money of live orders");
            vm.assertGe(here, live - out + back, "not covered");
        }
    }

    /// @notice `owed` is the sum of live orders; after delivery the contract holds all unclaimed tokens.
    function invariant_tokensOwedAreThoseOfLiveOrdersAndLieHere() external view {
        uint256 live = 0;
        uint256 claimed = 0;
        for (uint256 i = 0; i < game.count(); i++) {
            EscrowPlay.Known memory order = game.known(i);
            if (!order.isCancelled && !order.isRefunded) live += order.tokens;
            claimed += order.claimed;
            vm.assertLe(order.claimed, order.tokens, "claimed more than bought");
            vm.assertEq(escrow.claimedOf(game.idOf(i)), order.claimed);
        }
        vm.assertEq(escrow.owed(), live);
        vm.assertEq(escrow.claimed(), claimed);
        vm.assertLe(live, escrow.capTokens());
        if (game.wasDelivered()) vm.assertGe(game.tokensHeld(), live - claimed, "tokens are not covered");
        else vm.assertEq(claimed, 0);
        if (escrow.locked() && !game.wasDelivered() && !game.wasRefunding()) {
            vm.assertGe(game.tokensHeld(), escrow.capTokens(), "locked tokens left");
        }
    }

    /// @notice The treasury only gets money of a delivered round; delivery and refunds exclude each other.
    function invariant_moneyOnlyAgainstTokens() external view {
        vm.assertFalse(game.wasDelivered() && game.wasRefunding());
        if (game.wasDelivered()) return;
        for (uint256 a = 0; a < 3; a++) {
            vm.assertEq(game.paidOut(game.assets(a)), 0, "money without tokens");
        }
    }

    /// @notice Every run ends with all tokens or all money for each order; only stray assets remain.
    function afterInvariant() external {
        game.finish();
        for (uint256 i = 0; i < game.count(); i++) {
            EscrowPlay.Known memory order = game.known(i);
            bool isMoneyBack = order.isCancelled || !game.wasDelivered();
            vm.assertEq(order.isRefunded, isMoneyBack);
            vm.assertEq(order.claimed, isMoneyBack ? 0 : order.tokens, "neither all tokens nor all money");
        }
        for (uint256 a = 0; a < 3; a++) {
            address asset = game.assets(a);
            vm.assertEq(game.held(asset), game.strays(asset), "more or less than strays is left");
        }
        vm.assertEq(game.tokensHeld(), 0);
    }
}

contract EscrowLockedInvariants is EscrowInvariants {
    function newGame() internal override returns (EscrowPlay) {
        return new EscrowPlay(true, 2000, 30 days, 180 days);
    }
}

contract EscrowUnlockedInvariants is EscrowInvariants {
    function newGame() internal override returns (EscrowPlay) {
        return new EscrowPlay(false, 0, 0, 365 days);
    }
}
