// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

/// @notice A wallet contract that can call anything and rejects coins.
contract RefusingWallet {
    function call(address target, uint256 value, bytes calldata data) external payable returns (bytes memory) {
        (bool ok, bytes memory result) = target.call{value: value}(data);
        if (!ok) {
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
        return result;
    }
}

/// @notice Accepts coins and calls back during the transfer; stores the revert.
contract ReentrantWallet is RefusingWallet {
    address private _target;
    bytes private _data;
    bool public reentered;
    bytes4 public refusal;

    function setCall(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
    }

    receive() external payable {
        (bool ok, bytes memory result) = _target.call(_data);
        reentered = ok;
        refusal = bytes4(result);
    }
}

/// @notice Burns all gas it gets.
contract GreedyWallet is RefusingWallet {
    receive() external payable {
        while (true) {}
    }
}

/// @notice Returns as many bytes as its gas permits.
contract TalkativeWallet is RefusingWallet {
    receive() external payable {
        assembly {
            return(0, 60000)
        }
    }
}
