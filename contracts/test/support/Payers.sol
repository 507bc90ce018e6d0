// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

/// @notice A wallet contract that can call anything and takes no coin.
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

/// @notice Takes coin and calls back while it does, keeping how it was refused.
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

/// @notice Burns all gas that it gets.
contract GreedyWallet is RefusingWallet {
    receive() external payable {
        while (true) {}
    }
}

/// @notice Answers with as many bytes as its gas can pay for.
contract TalkativeWallet is RefusingWallet {
    receive() external payable {
        assembly {
            return(0, 60000)
        }
    }
}
