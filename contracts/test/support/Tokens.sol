// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

contract PlainToken is ERC20, ERC20Permit {
    constructor() ERC20("Dollar", "USD") ERC20Permit("Dollar") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// @notice A token with configurable faults. Returns nothing by default, like USDT.
contract HostileToken {
    enum Answer {
        Nothing,
        Yes,
        No
    }

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public denied;
    Answer public answer;
    uint256 public feeBps;
    bool public frozen;
    address private _target;
    bytes private _data;
    bool public reentered;
    bytes4 public refusal;

    error Denied();
    error Frozen();

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function setAnswer(Answer answer_) external {
        answer = answer_;
    }

    function setFee(uint256 feeBps_) external {
        feeBps = feeBps_;
    }

    function setDenied(address account, bool isDenied) external {
        denied[account] = isDenied;
    }

    function setFrozen(bool isFrozen) external {
        frozen = isFrozen;
    }

    /// @notice Makes each transfer call this; stores the revert.
    function setCall(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
    }

    /// @notice Like USDT: an allowance can only change from or to 0.
    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0, "0 first");
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
        _answer();
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        _answer();
    }

    function _move(address from, address to, uint256 amount) private {
        if (frozen) revert Frozen();
        if (denied[from] || denied[to]) revert Denied();
        if (_target != address(0)) {
            (bool ok, bytes memory result) = _target.call(_data);
            reentered = ok;
            refusal = bytes4(result);
        }
        balanceOf[from] -= amount;
        balanceOf[to] += amount - amount * feeBps / 10_000;
    }

    function _answer() private view {
        if (answer == Answer.Nothing) return;
        uint256 word = answer == Answer.Yes ? 1 : 0;
        assembly {
            mstore(0, word)
            return(0, 32)
        }
    }
}
