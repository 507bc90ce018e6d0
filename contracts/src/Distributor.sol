// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {IDistributor} from "./IDistributor.sol";
import {Money} from "./Money.sol";
import {Schedule, Vesting} from "./Vesting.sol";

/// @notice See {IDistributor}.
contract Distributor is IDistributor {
    using SafeERC20 for IERC20;

    IERC20 public immutable token;
    bytes32 public immutable root;
    uint128 public immutable total;
    uint40 public immutable start;
    address public immutable leftoverTo;
    uint40 public immutable leftoverFrom;
    uint16 private immutable _startBps;
    uint32 private immutable _cliff;
    uint32 private immutable _linear;

    // One slot.
    uint128 public claimed;
    bool public funded;

    mapping(bytes32 leaf => uint256) public claimedOf;

    constructor(Terms memory terms) {
        address sold = address(terms.token);
        if (sold.code.length == 0 || terms.leftoverTo == address(0) || terms.leftoverTo == sold) revert BadAddress();
        if (terms.root == 0 || terms.total == 0) revert BadList();
        Vesting.check(terms.schedule);
        if (terms.leftoverFrom < terms.start + Vesting.duration(terms.schedule) + 365 days) revert BadTimes();
        token = terms.token;
        root = terms.root;
        total = terms.total;
        start = terms.start;
        leftoverTo = terms.leftoverTo;
        leftoverFrom = terms.leftoverFrom;
        _startBps = terms.schedule.startBps;
        _cliff = terms.schedule.cliff;
        _linear = terms.schedule.linear;
    }

    /// @inheritdoc IDistributor
    function fund() external {
        if (funded) revert AlreadyFunded();
        funded = true;
        emit Funded(msg.sender);
        Money.takeUpTo(token, msg.sender, total);
    }

    /// @inheritdoc IDistributor
    function claim(Row calldata row) external {
        _requireFunded();
        if (_claim(row, schedule()) == 0) revert NothingDue();
    }

    /// @inheritdoc IDistributor
    function claimMany(Row[] calldata rows) external {
        _requireFunded();
        Schedule memory unlocking = schedule();
        for (uint256 i = 0; i < rows.length; i++) {
            _claim(rows[i], unlocking);
        }
    }

    /// @inheritdoc IDistributor
    function leftover() external {
        if (block.timestamp < leftoverFrom) revert TooEarly();
        uint256 tokens = token.balanceOf(address(this));
        if (tokens == 0) revert NothingDue();
        emit Leftover(tokens);
        token.safeTransfer(leftoverTo, tokens);
    }

    /// @inheritdoc IDistributor
    function schedule() public view returns (Schedule memory) {
        return Schedule({startBps: _startBps, cliff: _cliff, linear: _linear});
    }

    /// @inheritdoc IDistributor
    function vested(uint256 tokens) external view returns (uint256) {
        return _vestedDown(tokens, schedule());
    }

    /// @inheritdoc IDistributor
    function leafOf(uint256 place, address account, uint256 tokens) public pure returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(place, account, tokens))));
    }

    function _requireFunded() private view {
        if (!funded) revert NotFunded();
    }

    function _vestedDown(uint256 tokens, Schedule memory unlocking) private view returns (uint256) {
        if (block.timestamp < start) return 0;
        return Vesting.vestedDown(unlocking, tokens, block.timestamp - start);
    }

    function _claim(Row calldata row, Schedule memory unlocking) private returns (uint256 tokens) {
        bytes32 leaf = leafOf(row.place, row.account, row.tokens);
        if (!MerkleProof.verifyCalldata(row.proof, root, leaf)) revert WrongProof();
        uint256 before = claimedOf[leaf];
        tokens = _vestedDown(row.tokens, unlocking) - before;
        if (tokens == 0) return 0;
        uint256 claimedAfter = claimed + tokens;
        if (claimedAfter > total) revert OverTotal();
        claimed = uint128(claimedAfter);
        claimedOf[leaf] = before + tokens;
        emit Claimed(row.place, row.account, tokens);
        token.safeTransfer(row.account, tokens);
    }
}
