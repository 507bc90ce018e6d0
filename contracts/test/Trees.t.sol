// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IDistributor} from "../src/IDistributor.sol";
import {DistributorBase} from "./support/DistributorBase.sol";

/// @notice Trees of @openzeppelin/merkle-tree (contracts/trees.ts) against the contract.
contract TreesTest is DistributorBase {
    struct KnownTree {
        bytes32 root;
        uint128 total;
        IDistributor.Row[] rows;
    }

    function test_everyProofOfTheLibraryIsTakenAndEveryTamperedOneRefused() external {
        string memory hexed = vm.readFile(vm.envOr("MERKLE_TREES", string("node_modules/.cache/contracts/trees.hex")));
        KnownTree[] memory trees = abi.decode(vm.parseBytes(hexed), (KnownTree[]));
        vm.assertGe(trees.length, 12);
        for (uint256 t = 0; t < trees.length; t++) {
            IDistributor.Terms memory with = terms();
            (with.root, with.total) = (trees[t].root, trees[t].total);
            distributor = make(with);
            allow(operator, with.total);
            vm.prank(operator);
            distributor.fund();
            vm.warp(with.leftoverFrom);
            for (uint256 r = 0; r < trees[t].rows.length; r++) {
                check(trees[t].rows[r]);
            }
            vm.warp(START);
        }
    }

    function check(IDistributor.Row memory listed) private {
        listed.tokens += 1;
        refused(listed);
        listed.tokens -= 1;
        listed.place += 1;
        refused(listed);
        listed.place -= 1;
        uint256 before = token.balanceOf(listed.account);
        distributor.claim(listed);
        vm.assertEq(token.balanceOf(listed.account) - before, listed.tokens);
    }

    function refused(IDistributor.Row memory tampered) private {
        vm.expectRevert(IDistributor.WrongProof.selector);
        distributor.claim(tampered);
    }
}
