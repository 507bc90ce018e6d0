// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IDistributor} from "../src/IDistributor.sol";
import {WrongAmountReceived} from "../src/Money.sol";
import {BadSchedule} from "../src/Vesting.sol";
import {DistributorBase} from "./support/DistributorBase.sol";
import {HostileToken} from "./support/Tokens.sol";

contract DistributorTest is DistributorBase {
    uint256 private constant BEGIN = START + 10 days;
    uint256 private constant END = START + 370 days;
    uint256 private constant LEFTOVER = START + 735 days;

    function refused(IDistributor.Terms memory with, bytes4 refusal) private {
        bytes memory code = bytes.concat(distributorCode, abi.encode(with));
        vm.expectRevert(refusal);
        create(code);
    }

    function claimRefused(IDistributor.Row memory claimed, bytes4 refusal) private {
        vm.expectRevert(refusal);
        distributor.claim(claimed);
    }

    function test_theTermsAreAsTheyWereGiven() external view {
        IDistributor.Terms memory with = terms();
        vm.assertEq(address(distributor.token()), address(token));
        vm.assertEq(distributor.root(), with.root);
        vm.assertEq(distributor.total(), with.total);
        vm.assertEq(distributor.start(), with.start);
        vm.assertEq(keccak256(abi.encode(distributor.schedule())), keccak256(abi.encode(with.schedule)));
        vm.assertEq(distributor.leftoverTo(), treasury);
        vm.assertEq(distributor.leftoverFrom(), with.leftoverFrom);
        vm.assertFalse(distributor.funded());
    }

    function test_refusesATokenWithoutCodeAndLeftoversForNobody() external {
        IDistributor.Terms memory with = terms();
        with.token = IERC20(stranger);
        refused(with, IDistributor.BadAddress.selector);
        with = terms();
        with.leftoverTo = address(0);
        refused(with, IDistributor.BadAddress.selector);
        with.leftoverTo = address(token);
        refused(with, IDistributor.BadAddress.selector);
    }

    function test_refusesAnEmptyList() external {
        IDistributor.Terms memory with = terms();
        with.root = 0;
        refused(with, IDistributor.BadList.selector);
        with = terms();
        with.total = 0;
        refused(with, IDistributor.BadList.selector);
    }

    function test_refusesAScheduleOfMoreThanAll() external {
        IDistributor.Terms memory with = terms();
        with.schedule.startBps = 10_001;
        refused(with, BadSchedule.selector);
    }

    function test_refusesLeftoversEarlierThanAYearAfterTheLastUnlock() external {
        IDistributor.Terms memory with = terms();
        with.leftoverFrom -= 1;
        refused(with, IDistributor.BadTimes.selector);
    }

    function test_fundingTakesTheWholeTotalAndOpensClaims() external {
        allow(operator, total());
        vm.expectEmit(address(distributor));
        emit IDistributor.Funded(operator);
        vm.prank(operator);
        distributor.fund();
        vm.assertTrue(distributor.funded());
        vm.assertEq(token.balanceOf(address(distributor)), total());
    }

    function test_fundingTakesOnlyWhatLacks() external {
        uint256 sum = total();
        vm.prank(operator);
        token.transfer(address(distributor), sum - 1);
        allow(operator, 1);
        vm.prank(operator);
        distributor.fund();
        vm.assertEq(token.balanceOf(address(distributor)), sum);
    }

    function test_anyoneOpensWhatIsFundedAlready() external {
        uint256 sum = total();
        vm.prank(operator);
        token.transfer(address(distributor), sum);
        vm.prank(stranger);
        distributor.fund();
        vm.assertTrue(distributor.funded());
    }

    function test_refusesToOpenWhenOneUnitLacks() external {
        allow(operator, total() - 1);
        vm.prank(operator);
        vm.expectRevert();
        distributor.fund();
        vm.assertFalse(distributor.funded());
    }

    function test_refusesToFundTwice() external {
        fund();
        vm.expectRevert(IDistributor.AlreadyFunded.selector);
        distributor.fund();
    }

    function test_refusesATokenThatTakesAFee() external {
        HostileToken taxed = new HostileToken();
        IDistributor.Terms memory with = terms();
        with.token = IERC20(address(taxed));
        distributor = make(with);
        taxed.mint(operator, total());
        taxed.setFee(1);
        vm.prank(operator);
        taxed.approve(address(distributor), type(uint128).max);
        vm.prank(operator);
        vm.expectRevert(WrongAmountReceived.selector);
        distributor.fund();
    }

    function test_refusesClaimsBeforeItIsFunded() external {
        uint256 sum = total();
        vm.prank(operator);
        token.transfer(address(distributor), sum);
        vm.warp(BEGIN);
        claimRefused(row(0), IDistributor.NotFunded.selector);
    }

    function test_anyoneClaimsForAnyoneAlongTheSchedule() external {
        fund();
        vm.warp(BEGIN);
        vm.expectEmit(address(distributor));
        emit IDistributor.Claimed(0, accounts[0], 10e18);
        vm.prank(stranger);
        distributor.claim(row(0));
        vm.assertEq(token.balanceOf(accounts[0]), 10e18);
        vm.warp(BEGIN + 90 days);
        claimRefused(row(0), IDistributor.NothingDue.selector);
        vm.warp(BEGIN + 90 days + 27 days);
        distributor.claim(row(0));
        vm.assertEq(token.balanceOf(accounts[0]), 19e18);
        vm.assertEq(distributor.claimed(), 19e18);
        vm.assertEq(distributor.claimedOf(distributor.leafOf(0, accounts[0], amounts[0])), 19e18);
        vm.warp(END);
        distributor.claim(row(0));
        vm.assertEq(token.balanceOf(accounts[0]), 100e18);
        claimRefused(row(0), IDistributor.NothingDue.selector);
    }

    function test_refusesClaimsBeforeTheStart() external {
        fund();
        vm.warp(BEGIN - 1);
        vm.assertEq(distributor.vested(100e18), 0);
        claimRefused(row(0), IDistributor.NothingDue.selector);
    }

    function test_twoRowsOfTheSameAccountAndAmountAreTwoClaims() external {
        fund();
        vm.warp(END);
        distributor.claim(row(0));
        distributor.claim(row(4));
        vm.assertEq(token.balanceOf(accounts[0]), 200e18);
    }

    function test_refusesAnotherPlaceAccountAmountOrProof() external {
        fund();
        vm.warp(END);
        IDistributor.Row memory changed = row(0);
        changed.place = 4;
        claimRefused(changed, IDistributor.WrongProof.selector);
        changed = row(0);
        changed.account = stranger;
        claimRefused(changed, IDistributor.WrongProof.selector);
        changed = row(0);
        changed.tokens += 1;
        claimRefused(changed, IDistributor.WrongProof.selector);
        changed = row(0);
        changed.proof[0] = bytes32(uint256(changed.proof[0]) ^ 1);
        claimRefused(changed, IDistributor.WrongProof.selector);
        changed.proof = new bytes32[](0);
        claimRefused(changed, IDistributor.WrongProof.selector);
    }

    function test_refusesAnInnerNodeAsARow() external {
        fund();
        vm.warp(END);
        bytes32[] memory heap = nodes();
        // An inner node of 64 bytes can't be a row: a leaf is hashed twice and has 96 bytes.
        IDistributor.Row memory forged =
            IDistributor.Row(uint256(heap[1]), address(uint160(uint256(heap[2]))), 1, new bytes32[](0));
        claimRefused(forged, IDistributor.WrongProof.selector);
    }

    function test_claimManyPaysEverybodyAndPassesOverWhatIsNotDue() external {
        fund();
        vm.warp(END);
        distributor.claim(row(1));
        IDistributor.Row[] memory rows = new IDistributor.Row[](6);
        for (uint256 i = 0; i < 5; i++) {
            rows[i] = row(i);
        }
        rows[5] = row(0);
        vm.prank(stranger);
        distributor.claimMany(rows);
        vm.assertEq(token.balanceOf(accounts[0]), 200e18);
        vm.assertEq(token.balanceOf(accounts[1]), 7);
        vm.assertEq(token.balanceOf(accounts[2]), amounts[2]);
        vm.assertEq(token.balanceOf(accounts[3]), amounts[3]);
        vm.assertEq(token.balanceOf(address(distributor)), 0);
        vm.assertEq(distributor.claimed(), total());
    }

    function test_claimManyRefusesAWrongRow() external {
        fund();
        vm.warp(END);
        IDistributor.Row[] memory rows = new IDistributor.Row[](2);
        rows[0] = row(0);
        rows[1] = row(1);
        rows[1].tokens += 1;
        vm.expectRevert(IDistributor.WrongProof.selector);
        distributor.claimMany(rows);
    }

    /// @notice With a list above its total, the last claims are rejected, whatever else the contract holds.
    function test_refusesMoreThanTheTotalOfAnOverfullList() external {
        IDistributor.Terms memory with = terms();
        with.total = uint128(amounts[0] + amounts[4] - 1);
        distributor = make(with);
        allow(operator, SUPPLY);
        vm.prank(operator);
        distributor.fund();
        vm.prank(operator);
        token.transfer(address(distributor), 1000e18);
        vm.warp(END);
        distributor.claim(row(0));
        claimRefused(row(4), IDistributor.OverTotal.selector);
        vm.assertEq(distributor.claimed(), amounts[0]);
    }

    function test_theTotalCanBeClaimedToTheLastUnit() external {
        IDistributor.Terms memory with = terms();
        with.total = uint128(amounts[0] + amounts[4]);
        distributor = make(with);
        allow(operator, SUPPLY);
        vm.prank(operator);
        distributor.fund();
        vm.warp(END);
        distributor.claim(row(0));
        distributor.claim(row(4));
        vm.assertEq(distributor.claimed(), with.total);
    }

    function test_leftoversGoToThePublishedAddressAYearAfterTheLastUnlock() external {
        fund();
        vm.warp(LEFTOVER - 1);
        vm.expectRevert(IDistributor.TooEarly.selector);
        distributor.leftover();
        distributor.claim(row(3));
        vm.warp(LEFTOVER);
        uint256 left = total() - amounts[3];
        vm.expectEmit(address(distributor));
        emit IDistributor.Leftover(left);
        vm.prank(stranger);
        distributor.leftover();
        vm.assertEq(token.balanceOf(treasury), left);
        vm.expectRevert(IDistributor.NothingDue.selector);
        distributor.leftover();
    }

    function test_aRowIsClaimedUntilLeftoversAreTaken() external {
        fund();
        vm.warp(LEFTOVER + 1000 days);
        distributor.claim(row(0));
        vm.assertEq(token.balanceOf(accounts[0]), 100e18);
        distributor.leftover();
        vm.expectRevert();
        distributor.claim(row(3));
    }

    /// @notice Claims at any times follow the curve, never exceed the row, and end with all of it.
    function testFuzz_claimsFollowTheCurve(uint32[5] calldata pauses) external {
        fund();
        uint256 had = 0;
        for (uint256 i = 0; i < 5; i++) {
            vm.warp(block.timestamp + pauses[i] % 120 days);
            uint256 elapsed = block.timestamp < BEGIN ? 0 : block.timestamp - BEGIN;
            uint256 free = block.timestamp < BEGIN ? 0 : amounts[2] / 10;
            if (elapsed > 90 days) free += (amounts[2] - amounts[2] / 10) * (elapsed - 90 days) / 270 days;
            if (elapsed >= 360 days) free = amounts[2];
            vm.assertEq(distributor.vested(amounts[2]), free);
            if (free > had) distributor.claim(row(2));
            had = free;
            vm.assertEq(token.balanceOf(accounts[2]), had);
        }
        vm.warp(END);
        if (had < amounts[2]) distributor.claim(row(2));
        vm.assertEq(token.balanceOf(accounts[2]), amounts[2]);
    }
}
