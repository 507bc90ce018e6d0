// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

/// @notice The forge cheatcodes that the tests use.
interface Vm {
    function warp(uint256) external;
    function prank(address) external;
    function deal(address, uint256) external;
    function etch(address, bytes calldata) external;
    function chainId(uint256) external;
    function assume(bool) external pure;
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function addr(uint256 key) external pure returns (address);
    function expectRevert() external;
    function expectRevert(bytes4) external;
    function expectRevert(bytes calldata) external;
    function expectPartialRevert(bytes4) external;
    function expectEmit(address emitter) external;
    function readFile(string calldata) external view returns (string memory);
    function parseBytes(string calldata) external pure returns (bytes memory);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function parseJsonAddress(string calldata json, string calldata key) external pure returns (address);
    function envOr(string calldata, string calldata) external view returns (string memory);
    function envOr(string calldata, bool) external view returns (bool);
    function getCode(string calldata) external view returns (bytes memory);
    function assertEq(uint256, uint256) external pure;
    function assertEq(uint256, uint256, string calldata) external pure;
    function assertEq(address, address) external pure;
    function assertEq(bytes32, bytes32) external pure;
    function assertEq(string calldata, string calldata) external pure;
    function assertEq(bool, bool) external pure;
    function assertTrue(bool) external pure;
    function assertTrue(bool, string calldata) external pure;
    function assertFalse(bool) external pure;
    function assertLe(uint256, uint256) external pure;
    function assertLe(uint256, uint256, string calldata) external pure;
    function assertGe(uint256, uint256) external pure;
    function assertGe(uint256, uint256, string calldata) external pure;
}
