// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

/// @notice A Merkle tree in the layout of StandardMerkleTree: a heap with the leaves at the end, in reverse.
library Tree {
    function heap(bytes32[] memory leaves) internal pure returns (bytes32[] memory nodes) {
        nodes = new bytes32[](2 * leaves.length - 1);
        for (uint256 i = 0; i < leaves.length; i++) {
            nodes[nodes.length - 1 - i] = leaves[i];
        }
        for (uint256 i = nodes.length - leaves.length; i > 0; i--) {
            nodes[i - 1] = parent(nodes[2 * i - 1], nodes[2 * i]);
        }
    }

    function proof(bytes32[] memory nodes, uint256 leaf) internal pure returns (bytes32[] memory path) {
        uint256 at = nodes.length - 1 - leaf;
        uint256 depth = 0;
        for (uint256 i = at; i > 0; i = (i - 1) / 2) {
            depth++;
        }
        path = new bytes32[](depth);
        for (uint256 i = 0; i < depth; i++) {
            path[i] = nodes[at % 2 == 0 ? at - 1 : at + 1];
            at = (at - 1) / 2;
        }
    }

    function parent(bytes32 a, bytes32 b) private pure returns (bytes32) {
        return a < b ? keccak256(bytes.concat(a, b)) : keccak256(bytes.concat(b, a));
    }
}
