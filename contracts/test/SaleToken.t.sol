// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ISaleToken} from "../src/ISaleToken.sol";
import {Base} from "./support/Base.sol";

contract SaleTokenTest is Base {
    address private constant FIRST = address(0xF1);
    address private constant SECOND = address(0xF2);

    function init(address[] memory holders, uint256[] memory amounts) private view returns (bytes memory) {
        return bytes.concat(codeOf("SaleToken"), abi.encode("Honest", "HON", holders, amounts));
    }

    function two(uint256 first, uint256 second) private pure returns (address[] memory holders, uint256[] memory amounts) {
        holders = new address[](2);
        amounts = new uint256[](2);
        (holders[0], holders[1]) = (FIRST, SECOND);
        (amounts[0], amounts[1]) = (first, second);
    }

    function test_everyHolderOfTheDistributionHasItsShareAndNobodyElseAny() external {
        (address[] memory holders, uint256[] memory amounts) = two(70e18, 30e18);
        IERC20Metadata token = IERC20Metadata(create(init(holders, amounts)));
        vm.assertEq(token.name(), "Honest");
        vm.assertEq(token.symbol(), "HON");
        vm.assertEq(token.decimals(), 18);
        vm.assertEq(token.totalSupply(), 100e18);
        vm.assertEq(token.balanceOf(FIRST), 70e18);
        vm.assertEq(token.balanceOf(SECOND), 30e18);
    }

    function test_aHolderNamedTwiceHasBothShares() external {
        (address[] memory holders, uint256[] memory amounts) = two(70e18, 30e18);
        holders[1] = FIRST;
        vm.assertEq(IERC20Metadata(create(init(holders, amounts))).balanceOf(FIRST), 100e18);
    }

    function test_refusesADistributionWithoutHolders() external {
        bytes memory code = init(new address[](0), new uint256[](0));
        vm.expectRevert(ISaleToken.BadDistribution.selector);
        create(code);
    }

    function test_refusesOtherThanOneAmountForEachHolder() external {
        (address[] memory holders,) = two(1, 1);
        bytes memory code = init(holders, new uint256[](1));
        vm.expectRevert(ISaleToken.BadDistribution.selector);
        create(code);
        code = init(holders, new uint256[](3));
        vm.expectRevert(ISaleToken.BadDistribution.selector);
        create(code);
    }

    function test_refusesAnEmptyShare() external {
        (address[] memory holders, uint256[] memory amounts) = two(1, 0);
        bytes memory code = init(holders, amounts);
        vm.expectRevert(abi.encodeWithSelector(ISaleToken.EmptyShare.selector, 1));
        create(code);
    }

    function test_aPermitAllowsWithoutATransactionOfTheHolder() external {
        uint256 key = 0xB0B;
        address owner = vm.addr(key);
        IERC20Permit token = IERC20Permit(createToken(owner, 5e18));
        bytes32 permit = keccak256(
            abi.encode(
                keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                owner,
                SECOND,
                5e18,
                token.nonces(owner),
                block.timestamp
            )
        );
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(key, keccak256(abi.encodePacked("\x19\x01", token.DOMAIN_SEPARATOR(), permit)));
        token.permit(owner, SECOND, 5e18, block.timestamp, v, r, s);
        vm.prank(SECOND);
        IERC20Metadata(address(token)).transferFrom(owner, SECOND, 5e18);
        vm.assertEq(IERC20Metadata(address(token)).balanceOf(SECOND), 5e18);
    }
}
