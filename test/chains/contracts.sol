// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A plain ERC-20 for tests; anyone may mint.
contract TestToken {
    string public name;
    string public symbol;
    uint8 public immutable decimals;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    error Insufficient();

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external virtual returns (bool) {
        if (balanceOf[msg.sender] < value) revert Insufficient();
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }

    /// Several transfers in one transaction, like batch payers.
    function transferTwice(address to, uint256 first, uint256 second) external {
        this.pull(msg.sender, to, first);
        this.pull(msg.sender, to, second);
    }

    function pull(address from, address to, uint256 value) external {
        require(msg.sender == address(this));
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// A token with permits (ERC-2612) of domain version 2, like USDC.
contract PermitToken is TestToken {
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    string public constant version = "2";
    mapping(address => uint256) public nonces;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) TestToken(name_, symbol_, decimals_) {}

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                block.chainid,
                address(this)
            )
        );
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline, "permit is over");
        bytes32 message = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), message));
        require(ecrecover(digest, v, r, s) == owner, "not signed by its owner");
        allowance[owner][spender] = value;
    }
}

/// Forwards coins internally, which leaves only a balance and no transfer.
contract Forwarder {
    function forward(address payable to) external payable {
        (bool sent, ) = to.call{value: msg.value}("");
        require(sent);
    }

    function forwardAndRevert(address payable to) external payable {
        (bool sent, ) = to.call{value: msg.value}("");
        require(sent);
        revert("changed my mind");
    }
}

/// A price feed with a settable answer (Chainlink's AggregatorV3Interface).
contract Feed {
    int256 private answer;
    uint256 private updatedAt;

    function set(int256 answer_, uint256 updatedAt_) external {
        answer = answer_;
        updatedAt = updatedAt_;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, answer, updatedAt, updatedAt, 1);
    }
}

/// Pays an amount that depends on the block.
contract Fickle {
    function pay(TestToken token, address to, uint256 big, uint256 small) external {
        token.transfer(to, block.timestamp % 2 == 0 ? big : small);
    }

    function payOrNot(TestToken token, address to, uint256 value) external {
        if (block.timestamp % 2 == 0) token.transfer(to, value);
    }
}

/// A token that keeps a tenth of each transfer.
contract TaxedToken is TestToken {
    constructor() TestToken("Taxed", "TAX", 6) {}

    function transfer(address to, uint256 value) external override returns (bool) {
        if (balanceOf[msg.sender] < value) revert Insufficient();
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value - value / 10;
        emit Transfer(msg.sender, to, value - value / 10);
        return true;
    }
}

/// A smart account with one owner, whose signatures it accepts (EIP-1271).
contract SmartAccount {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        require(signature.length == 65, "length");
        (bytes32 r, bytes32 s) = abi.decode(signature[:64], (bytes32, bytes32));
        return ecrecover(hash, uint8(signature[64]), r, s) == owner ? this.isValidSignature.selector : bytes4(0);
    }
}
