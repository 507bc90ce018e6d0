// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IDistributor} from "../../src/IDistributor.sol";
import {Schedule} from "../../src/Vesting.sol";
import {Base} from "./Base.sol";
import {Tree} from "./Tree.sol";

/// @notice A list of five rows, two of them equal; 10 % unlocked at the start, the rest over 270 days after a
/// cliff of 90.
abstract contract DistributorBase is Base {
    uint256 internal constant SUPPLY = 1_000_000e18;

    address internal operator = address(0x09E8);
    address internal treasury = address(0x77EA);
    address internal stranger = address(0x57A4);

    IERC20 internal token;
    IDistributor internal distributor;
    bytes internal distributorCode;
    address[] internal accounts = [address(0xA1), address(0xA2), address(0xA3), address(0xA4), address(0xA1)];
    uint256[] internal amounts = [uint256(100e18), 7, 1_234_567_890_123_456_789, 50_000e18, 100e18];

    function setUp() public virtual {
        vm.warp(START);
        token = IERC20(createToken(operator, SUPPLY));
        distributorCode = codeOf("Distributor");
        distributor = make(terms());
    }

    function make(IDistributor.Terms memory with) internal returns (IDistributor) {
        return IDistributor(create(bytes.concat(distributorCode, abi.encode(with))));
    }

    function leafOf(uint256 place) internal view returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(place, accounts[place], amounts[place]))));
    }

    function nodes() internal view returns (bytes32[] memory) {
        bytes32[] memory leaves = new bytes32[](accounts.length);
        for (uint256 i = 0; i < leaves.length; i++) {
            leaves[i] = leafOf(i);
        }
        return Tree.heap(leaves);
    }

    function row(uint256 place) internal view returns (IDistributor.Row memory) {
        return IDistributor.Row(place, accounts[place], amounts[place], Tree.proof(nodes(), place));
    }

    function total() internal view returns (uint128 sum) {
        for (uint256 i = 0; i < amounts.length; i++) {
            sum += uint128(amounts[i]);
        }
    }

    function terms() internal view returns (IDistributor.Terms memory) {
        return IDistributor.Terms({
            token: token,
            root: nodes()[0],
            total: total(),
            start: uint40(START + 10 days),
            schedule: Schedule({startBps: 1000, cliff: 90 days, linear: 270 days}),
            leftoverTo: treasury,
            leftoverFrom: uint40(START + 10 days + 360 days + 365 days)
        });
    }

    function allow(address by, uint256 amount) internal {
        vm.prank(by);
        token.approve(address(distributor), amount);
    }

    function fund() internal {
        allow(operator, total());
        vm.prank(operator);
        distributor.fund();
    }
}
