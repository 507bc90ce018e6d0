// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Schedule} from "./Vesting.sol";

/// @title Hands out tokens by a published list
/// @notice For whoever paid outside this chain, or was granted tokens. This is delivery, not an exchange of money against
/// tokens: nothing here holds the money back. The list is fixed by its root and stands behind all claims; claims open once
/// `total` tokens lie here. Whether the published list adds up to `total` anyone can compute; the contract can't know.
///
/// A leaf is that of OpenZeppelin's StandardMerkleTree with the types uint256, address, uint256: place in the list, account,
/// tokens. The place makes every row another leaf.
interface IDistributor {
    /// @notice What is fixed when the contract is made.
    /// @param token what is handed out
    /// @param root of the published list
    /// @param total tokens of the published list
    /// @param start from here the schedule counts
    /// @param schedule when the tokens unlock
    /// @param leftoverTo gets what nobody has claimed
    /// @param leftoverFrom when it can; at least 365 days after everything is unlocked
    struct Terms {
        IERC20 token;
        bytes32 root;
        uint128 total;
        uint40 start;
        Schedule schedule;
        address leftoverTo;
        uint40 leftoverFrom;
    }

    /// @notice A row of the published list and its proof.
    struct Row {
        uint256 place;
        address account;
        uint256 tokens;
        bytes32[] proof;
    }

    event Funded(address indexed by);
    event Claimed(uint256 indexed place, address indexed account, uint256 tokens);
    event Leftover(uint256 tokens);

    /// @notice The token has no code, or leftovers would go to zero or to the token.
    error BadAddress();
    /// @notice Root or total is zero.
    error BadList();
    /// @notice Leftovers could be taken earlier than 365 days after everything is unlocked.
    error BadTimes();
    /// @notice Not all tokens of the list lie here yet.
    error NotFunded();
    /// @notice All tokens of the list lie here already.
    error AlreadyFunded();
    /// @notice The row is not of this list.
    error WrongProof();
    /// @notice The list adds up to more than its total, and the total is used up.
    error OverTotal();
    /// @notice Nothing is due.
    error NothingDue();
    /// @notice It is too early for leftovers.
    error TooEarly();

    /// @notice Takes from the caller what lacks of the total, and opens the claims. By anyone, once.
    function fund() external;

    /// @notice Sends the tokens of a row that are unlocked to its account. By anyone.
    function claim(Row calldata row) external;

    /// @notice Claims many rows; one that has nothing due is passed over. By anyone.
    function claimMany(Row[] calldata rows) external;

    /// @notice Sends what nobody has claimed to `leftoverTo`. By anyone, from `leftoverFrom` on.
    function leftover() external;

    function token() external view returns (IERC20);
    function root() external view returns (bytes32);
    function total() external view returns (uint128);
    function start() external view returns (uint40);
    function schedule() external view returns (Schedule memory);
    function leftoverTo() external view returns (address);
    function leftoverFrom() external view returns (uint40);
    /// @notice All tokens of the list have been here.
    function funded() external view returns (bool);
    /// @notice Tokens that accounts have.
    function claimed() external view returns (uint128);
    /// @notice Tokens of one leaf that its account has.
    function claimedOf(bytes32 leaf) external view returns (uint256);
    /// @notice Tokens of a row that are unlocked now, claimed or not.
    function vested(uint256 tokens) external view returns (uint256);
    function leafOf(uint256 place, address account, uint256 tokens) external pure returns (bytes32);
}
