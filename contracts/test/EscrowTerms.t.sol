// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ISaleEscrow} from "../src/ISaleEscrow.sol";
import {BadSchedule, Schedule} from "../src/Vesting.sol";
import {EscrowBase} from "./support/EscrowBase.sol";

contract EscrowTermsTest is EscrowBase {
    function refused(ISaleEscrow.Terms memory with, bytes4 refusal) private {
        bytes memory code = bytes.concat(escrowCode, abi.encode(with));
        vm.expectRevert(refusal);
        create(code);
    }

    function test_theTermsAreAsTheyWereGiven() external view {
        ISaleEscrow.Terms memory with = terms();
        vm.assertEq(address(escrow.token()), address(token));
        vm.assertEq(escrow.seller(), seller);
        vm.assertEq(escrow.treasury(), treasury);
        vm.assertEq(escrow.quoteKey(), vm.addr(KEY));
        vm.assertEq(escrow.capTokens(), CAP);
        vm.assertEq(escrow.closeAt(), with.closeAt);
        vm.assertEq(escrow.deliverBy(), with.deliverBy);
        vm.assertEq(escrow.review(), with.review);
        vm.assertTrue(escrow.lockFirst());
        vm.assertEq(keccak256(abi.encode(escrow.schedule())), keccak256(abi.encode(with.schedule)));
        vm.assertEq(keccak256(abi.encode(escrow.assets())), keccak256(abi.encode(with.assets)));
        vm.assertEq(escrow.deliveredAt(), 0);
        vm.assertFalse(escrow.cancelled());
        vm.assertTrue(escrow.state() == ISaleEscrow.RoundState.Open);
    }

    function test_refusesATokenWithoutCode() external {
        ISaleEscrow.Terms memory with = terms();
        with.token = IERC20(stranger);
        refused(with, ISaleEscrow.BadAddress.selector);
    }

    function test_refusesNoSellerNoTreasuryAndTheTokenAsTreasury() external {
        ISaleEscrow.Terms memory with = terms();
        with.seller = address(0);
        refused(with, ISaleEscrow.BadAddress.selector);
        with = terms();
        with.treasury = address(0);
        refused(with, ISaleEscrow.BadAddress.selector);
        with = terms();
        with.treasury = address(token);
        refused(with, ISaleEscrow.BadAddress.selector);
    }

    function test_refusesACapOfNothing() external {
        ISaleEscrow.Terms memory with = terms();
        with.capTokens = 0;
        refused(with, ISaleEscrow.BadCap.selector);
    }

    function test_refusesAClosingThatIsPastOrOver366DaysAway() external {
        ISaleEscrow.Terms memory with = terms();
        with.closeAt = uint40(START);
        refused(with, ISaleEscrow.BadTimes.selector);
        with.closeAt = uint40(START + 366 days + 1);
        with.deliverBy = with.closeAt + 30 days;
        refused(with, ISaleEscrow.BadTimes.selector);
        with.closeAt = uint40(START + 366 days);
        make(with);
    }

    function test_refusesAReviewOverSevenDays() external {
        ISaleEscrow.Terms memory with = terms();
        with.review = 7 days + 1;
        refused(with, ISaleEscrow.BadTimes.selector);
        with.review = 7 days;
        make(with);
    }

    function test_refusesLessThanADayBetweenReviewAndTheEndOfDelivery() external {
        ISaleEscrow.Terms memory with = terms();
        with.deliverBy = with.closeAt + with.review + 1 days - 1;
        refused(with, ISaleEscrow.BadTimes.selector);
        with.deliverBy += 1;
        make(with);
    }

    function test_refusesToHoldMoneyFor180DaysAfterClosing() external {
        ISaleEscrow.Terms memory with = terms();
        with.deliverBy = with.closeAt + 180 days + 1;
        refused(with, ISaleEscrow.BadTimes.selector);
        with.deliverBy -= 1;
        make(with);
    }

    function test_refusesAScheduleOfMoreThanAllOrOverFiveYears() external {
        ISaleEscrow.Terms memory with = terms();
        with.schedule = Schedule({startBps: 10_001, cliff: 0, linear: 0});
        refused(with, BadSchedule.selector);
        with.schedule = Schedule({startBps: 10_000, cliff: 365 days, linear: 4 * 365 days + 1});
        refused(with, BadSchedule.selector);
        with.schedule.linear -= 1;
        make(with);
    }

    function test_refusesNoAssetOver16AndOneTwice() external {
        ISaleEscrow.Terms memory with = terms();
        with.assets = new address[](0);
        refused(with, ISaleEscrow.BadAssets.selector);
        with.assets = new address[](17);
        for (uint256 i = 0; i < 17; i++) {
            with.assets[i] = address(uint160(1000 + i));
            vm.etch(with.assets[i], hex"00");
        }
        refused(with, ISaleEscrow.BadAssets.selector);
        address[] memory sixteen = new address[](16);
        for (uint256 i = 0; i < 16; i++) {
            sixteen[i] = with.assets[i];
        }
        with.assets = sixteen;
        make(with);
        with.assets[15] = with.assets[0];
        refused(with, ISaleEscrow.BadAssets.selector);
    }

    function test_refusesTheTokenItselfAndAnAssetWithoutCode() external {
        ISaleEscrow.Terms memory with = terms();
        with.assets[1] = address(token);
        refused(with, ISaleEscrow.BadAssets.selector);
        with.assets[1] = stranger;
        refused(with, ISaleEscrow.BadAssets.selector);
    }
}
