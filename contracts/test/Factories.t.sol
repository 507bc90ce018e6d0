// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IDistributor} from "../src/IDistributor.sol";
import {IDistributorFactory} from "../src/IDistributorFactory.sol";
import {IEscrowFactory} from "../src/IEscrowFactory.sol";
import {ISaleEscrow} from "../src/ISaleEscrow.sol";
import {ITokenFactory} from "../src/ITokenFactory.sol";
import {Schedule} from "../src/Vesting.sol";
import {Base} from "./support/Base.sol";
import {PlainToken} from "./support/Tokens.sol";

contract FactoriesTest is Base {
    address private constant DEPLOYER = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    /// @dev The keyless deployer's code, as on every chain.
    bytes private constant DEPLOYER_CODE =
        hex"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

    ITokenFactory private tokens;
    IEscrowFactory private escrows;
    IDistributorFactory private distributors;
    address private stranger = address(0x57A4);

    function setUp() external {
        vm.warp(START);
        vm.etch(DEPLOYER, DEPLOYER_CODE);
        tokens = ITokenFactory(place(codeOf("TokenFactory")));
        escrows = IEscrowFactory(place(bytes.concat(codeOf("EscrowFactory"), abi.encode(tokens))));
        distributors = IDistributorFactory(place(bytes.concat(codeOf("DistributorFactory"), abi.encode(tokens))));
    }

    /// @notice True if the bytecode is not the published one, so that its address and size differ.
    function isOtherCode() private view returns (bool) {
        return vm.envOr("COMPILED_BY_FORGE", false) || vm.envOr("MUTATED", false);
    }

    function place(bytes memory initCode) private returns (address) {
        (bool ok, bytes memory result) = DEPLOYER.call(bytes.concat(bytes32(0), initCode));
        vm.assertTrue(ok);
        return address(bytes20(result));
    }

    function placeOf(address factory, bytes memory initCode, bytes32 salt) private pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), factory, salt, keccak256(initCode))))));
    }

    function list() private pure returns (address[] memory holders, uint256[] memory amounts) {
        holders = new address[](1);
        amounts = new uint256[](1);
        (holders[0], amounts[0]) = (address(0x5E11E8), 1000e18);
    }

    function makeToken(bytes32 salt) private returns (address) {
        (address[] memory holders, uint256[] memory amounts) = list();
        return tokens.make("Honest", "HON", holders, amounts, salt);
    }

    function escrowTerms(address token) private pure returns (ISaleEscrow.Terms memory) {
        return ISaleEscrow.Terms({
            token: IERC20(token),
            seller: address(0x5E11E8),
            treasury: address(0x77EA),
            quoteKey: address(0),
            capTokens: 1,
            closeAt: uint40(START + 30 days),
            deliverBy: uint40(START + 60 days),
            review: 0,
            lockFirst: true,
            schedule: Schedule(10_000, 0, 0),
            assets: new address[](1)
        });
    }

    function distributorTerms(address token) private pure returns (IDistributor.Terms memory) {
        return IDistributor.Terms({
            token: IERC20(token),
            root: bytes32(uint256(1)),
            total: 1,
            start: uint40(START),
            schedule: Schedule(10_000, 0, 0),
            leftoverTo: address(0x77EA),
            leftoverFrom: uint40(START + 365 days)
        });
    }

    function test_theFactoriesStandWhereTheirCodeSays() external view {
        if (isOtherCode()) return;
        string memory folder = vm.envOr("CONTRACT_ARTIFACTS", string("contracts/artifacts"));
        string memory known = vm.readFile(string.concat(folder, "/factories.json"));
        vm.assertEq(vm.parseJsonAddress(known, ".addresses.TokenFactory"), address(tokens));
        vm.assertEq(vm.parseJsonAddress(known, ".addresses.EscrowFactory"), address(escrows));
        vm.assertEq(vm.parseJsonAddress(known, ".addresses.DistributorFactory"), address(distributors));
    }

    function test_aTokenStandsWhereItsCodeAndDistributionSay() external {
        vm.prank(stranger);
        address token = makeToken("salt");
        (address[] memory holders, uint256[] memory amounts) = list();
        bytes memory init = bytes.concat(codeOf("SaleToken"), abi.encode("Honest", "HON", holders, amounts));
        vm.assertEq(token, placeOf(address(tokens), init, "salt"));
        vm.assertTrue(tokens.made(token));
        vm.assertEq(IERC20(token).balanceOf(holders[0]), 1000e18);
        vm.assertEq(IERC20(token).balanceOf(stranger), 0);
    }

    function test_anEscrowStandsWhereItsCodeAndTermsSay() external {
        ISaleEscrow.Terms memory terms = escrowTerms(makeToken("salt"));
        bytes memory init = bytes.concat(codeOf("SaleEscrow"), abi.encode(terms));
        address expected = placeOf(address(escrows), init, "round");
        vm.expectEmit(address(escrows));
        emit IEscrowFactory.Made(expected, address(terms.token), terms.seller);
        vm.assertEq(escrows.make(terms, "round"), expected);
        vm.assertTrue(escrows.made(expected));
        vm.assertEq(address(escrows.tokens()), address(tokens));
    }

    function test_aDistributorStandsWhereItsCodeAndTermsSay() external {
        IDistributor.Terms memory terms = distributorTerms(makeToken("salt"));
        bytes memory init = bytes.concat(codeOf("Distributor"), abi.encode(terms));
        address expected = placeOf(address(distributors), init, "round");
        vm.expectEmit(address(distributors));
        emit IDistributorFactory.Made(expected, address(terms.token), terms.root);
        vm.assertEq(distributors.make(terms, "round"), expected);
        vm.assertTrue(distributors.made(expected));
        vm.assertEq(address(distributors.tokens()), address(tokens));
    }

    function test_refusesATokenOfAnotherMaker() external {
        address other = address(new PlainToken());
        vm.assertFalse(tokens.made(other));
        vm.expectRevert(IEscrowFactory.UnknownToken.selector);
        escrows.make(escrowTerms(other), 0);
        vm.expectRevert(IDistributorFactory.UnknownToken.selector);
        distributors.make(distributorTerms(other), 0);
    }

    function test_refusesToMakeTheSameTwice() external {
        address token = makeToken("salt");
        // A taken address uses up all gas.
        (address[] memory holders, uint256[] memory amounts) = list();
        vm.expectRevert();
        tokens.make{gas: 5_000_000}("Honest", "HON", holders, amounts, "salt");
        vm.assertTrue(makeToken("other salt") != token);
        escrows.make(escrowTerms(token), 0);
        vm.expectRevert();
        escrows.make{gas: 8_000_000}(escrowTerms(token), 0);
        distributors.make(distributorTerms(token), 0);
        vm.expectRevert();
        distributors.make{gas: 5_000_000}(distributorTerms(token), 0);
    }

    function test_whatOthersMadeIsNotMade() external {
        ISaleEscrow.Terms memory terms = escrowTerms(makeToken("salt"));
        address copy = create(bytes.concat(codeOf("SaleEscrow"), abi.encode(terms)));
        vm.assertFalse(escrows.made(copy));
        vm.assertFalse(distributors.made(copy));
    }

    /// @notice EIP-170 and EIP-3860.
    function test_everythingFitsIntoABlock() external {
        if (isOtherCode()) return;
        vm.assertLe(address(tokens).code.length, 24_576);
        vm.assertLe(address(escrows).code.length, 24_576);
        vm.assertLe(address(distributors).code.length, 24_576);
        address token = makeToken("salt");
        vm.assertLe(token.code.length, 24_576);
        vm.assertLe(escrows.make(escrowTerms(token), 0).code.length, 24_576);
        vm.assertLe(distributors.make(distributorTerms(token), 0).code.length, 24_576);
        vm.assertLe(codeOf("EscrowFactory").length, 49_152);
    }
}
