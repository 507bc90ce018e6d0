// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {Vm} from "./Vm.sol";

/// @notice Deploys contracts from their bytecode, so that tests cover the published code and mutants need no
/// rebuild.
abstract contract Base {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 internal constant START = 1_800_000_000;

    /// @notice Returns a contract's creation code, from `CONTRACT_ARTIFACTS` or the published artifacts.
    function codeOf(string memory name) internal view returns (bytes memory) {
        if (vm.envOr("COMPILED_BY_FORGE", false)) return vm.getCode(string.concat("contracts/src/", name, ".sol:", name));
        string memory folder = vm.envOr("CONTRACT_ARTIFACTS", "contracts/artifacts");
        return vm.parseJsonBytes(vm.readFile(string.concat(folder, "/", name, ".json")), ".bytecode");
    }

    /// @notice Creates a contract and passes on its revert.
    function create(bytes memory initCode) internal returns (address made) {
        assembly ("memory-safe") {
            made := create(0, add(initCode, 0x20), mload(initCode))
            if iszero(made) {
                let free := mload(0x40)
                returndatacopy(free, 0, returndatasize())
                revert(free, returndatasize())
            }
        }
    }

    function createToken(address holder, uint256 amount) internal returns (address) {
        address[] memory holders = new address[](1);
        uint256[] memory amounts = new uint256[](1);
        (holders[0], amounts[0]) = (holder, amount);
        return create(bytes.concat(codeOf("SaleToken"), abi.encode("Honest", "HON", holders, amounts)));
    }

    /// @notice Restricts an invariant to `actions` of `target`; forge reads the ABI of this struct.
    struct Selectors {
        address addr;
        bytes4[] selectors;
    }

    function selected(address target, bytes4[] memory actions) internal pure returns (Selectors[] memory list) {
        list = new Selectors[](1);
        list[0] = Selectors(target, actions);
    }

    function between(uint256 value, uint256 least, uint256 most) internal pure returns (uint256) {
        return least + value % (most - least + 1);
    }
}
