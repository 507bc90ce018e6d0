// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ISaleEscrow} from "../../src/ISaleEscrow.sol";
import {Schedule} from "../../src/Vesting.sol";
import {Base} from "./Base.sol";
import {HostileToken, PlainToken} from "./Tokens.sol";

/// @notice A round that locks first: 20 % unlocked at delivery, nothing for 30 days, the rest over 180 days.
abstract contract EscrowBase is Base {
    uint256 internal constant KEY = 0xA11CE;
    uint128 internal constant CAP = 1_000_000e18;
    uint256 internal constant SUPPLY = 10_000_000e18;
    address internal constant NATIVE = address(0);

    address internal seller = address(0x5E11E8);
    address internal treasury = address(0x77EA);
    address internal buyer = address(0xB0B);
    address internal holder = address(0xB0B2);
    address internal stranger = address(0x57A4);

    IERC20 internal token;
    PlainToken internal usd;
    HostileToken internal tether;
    ISaleEscrow internal escrow;
    bytes internal escrowCode;

    function setUp() public virtual {
        vm.warp(START);
        token = IERC20(createToken(seller, SUPPLY));
        usd = new PlainToken();
        tether = new HostileToken();
        escrowCode = codeOf("SaleEscrow");
        escrow = make(terms());
        lockTokens();
    }

    function terms() internal view returns (ISaleEscrow.Terms memory) {
        address[] memory assets = new address[](3);
        (assets[0], assets[1], assets[2]) = (NATIVE, address(usd), address(tether));
        return ISaleEscrow.Terms({
            token: token,
            seller: seller,
            treasury: treasury,
            quoteKey: vm.addr(KEY),
            capTokens: CAP,
            closeAt: uint40(START + 30 days),
            deliverBy: uint40(START + 60 days),
            review: 2 days,
            lockFirst: true,
            schedule: Schedule({startBps: 2000, cliff: 30 days, linear: 180 days}),
            assets: assets
        });
    }

    function make(ISaleEscrow.Terms memory with) internal returns (ISaleEscrow) {
        return ISaleEscrow(create(bytes.concat(escrowCode, abi.encode(with))));
    }

    /// @notice The same round without locked tokens, which still accepts payments.
    function makeUnlocked() internal {
        ISaleEscrow.Terms memory with = terms();
        with.lockFirst = false;
        escrow = make(with);
    }

    function lockTokens() internal {
        vm.prank(seller);
        token.approve(address(escrow), CAP);
        vm.prank(seller);
        escrow.lock();
    }

    function quoteFor(uint256 id, address payer, address asset, uint256 amount, uint256 tokens)
        internal
        view
        returns (ISaleEscrow.Quote memory)
    {
        return ISaleEscrow.Quote({
            orderId: bytes32(id),
            payer: payer,
            beneficiary: holder,
            asset: asset,
            amount: amount,
            tokens: tokens,
            validUntil: block.timestamp + 15 minutes
        });
    }

    function signed(ISaleEscrow.Quote memory quote) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, escrow.hashOf(quote));
        return abi.encodePacked(r, s, v);
    }

    /// @notice Gives the payer the money, and the allowance if needed.
    function provide(address payer, address asset, uint256 amount) internal {
        if (asset == NATIVE) {
            vm.deal(payer, payer.balance + amount);
        } else {
            PlainToken(asset).mint(payer, amount);
            vm.prank(payer);
            HostileToken(asset).approve(address(escrow), 0);
            vm.prank(payer);
            HostileToken(asset).approve(address(escrow), amount);
        }
    }

    function pay(ISaleEscrow.Quote memory quote) internal {
        provide(quote.payer, quote.asset, quote.amount);
        bytes memory signature = signed(quote);
        vm.prank(quote.payer);
        escrow.pay{value: quote.asset == NATIVE ? quote.amount : 0}(quote, signature);
    }

    function payOrder(uint256 id, address asset, uint256 amount, uint256 tokens) internal returns (bytes32) {
        pay(quoteFor(id, buyer, asset, amount, tokens));
        return bytes32(id);
    }

    function toClosed() internal {
        vm.warp(START + 30 days);
    }

    function toReviewed() internal {
        vm.warp(START + 32 days);
    }

    function toDelivered() internal {
        toReviewed();
        escrow.deliver(type(uint256).max);
    }

    function toRefunding() internal {
        vm.warp(START + 60 days + 1);
    }

    function balance(address asset, address account) internal view returns (uint256) {
        return asset == NATIVE ? account.balance : IERC20(asset).balanceOf(account);
    }
}
