// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Schedule} from "./Vesting.sol";

/// @title The escrow of one round of a sale: the money against all tokens, or back
/// @notice Buyers pay in with a quote signed by the sale. The treasury gets the money only after this contract holds every
/// token that it owes to them; if that has not happened by `deliverBy`, everybody gets back what they paid. The contract is
/// itself the vault of the tokens. It has no owner, no upgrade and no pause, and nothing in its terms can change.
///
/// The states of a round: Open → Closed → Delivered, or Open → Closed → Refunding; both ends are final.
interface ISaleEscrow {
    /// @notice What is fixed when the contract is made.
    /// @param token the token that is sold; never an accepted asset
    /// @param seller may close early, cancel orders, cancel a round that is not locked, and change the quote key
    /// @param treasury gets the proceeds and the tokens that nobody is owed
    /// @param quoteKey signs quotes; zero: there are none
    /// @param capTokens most tokens that the live orders may be owed together
    /// @param closeAt no payment from this second on
    /// @param deliverBy last second in which the round can be delivered
    /// @param review seconds after closing in which only the seller can deliver, so that orders which a stolen quote key
    /// signed can be cancelled first
    /// @param lockFirst no payment before all tokens of the cap lie here
    /// @param schedule when the tokens unlock, counted from the delivery
    /// @param assets what is accepted: ERC-20 contracts, and the zero address for the chain's own coin
    struct Terms {
        IERC20 token;
        address seller;
        address treasury;
        address quoteKey;
        uint128 capTokens;
        uint40 closeAt;
        uint40 deliverBy;
        uint32 review;
        bool lockFirst;
        Schedule schedule;
        address[] assets;
    }

    /// @notice An offer to one payer; EIP-712 type of the same name, in the domain `SaleEscrow`, `1`, this chain, this contract.
    /// @param orderId each pays once
    /// @param payer sends the payment and gets a refund
    /// @param beneficiary gets the tokens
    /// @param asset what is paid; the zero address for the chain's own coin
    /// @param amount in the asset's smallest unit
    /// @param tokens in the token's smallest unit, bonus included
    /// @param validUntil last second in which it can be paid
    struct Quote {
        bytes32 orderId;
        address payer;
        address beneficiary;
        address asset;
        uint256 amount;
        uint256 tokens;
        uint256 validUntil;
    }

    /// @notice A permit (ERC-2612) of the payer for the quote's amount.
    struct Permit {
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    enum RoundState {
        Open,
        Closed,
        Delivered,
        Refunding
    }

    /// @notice None was never paid; Paid is live: owed tokens, or its money; Cancelled is owed its money; Refunded has it.
    enum OrderState {
        None,
        Paid,
        Cancelled,
        Refunded
    }

    /// @param asset place in `assets`, counted from 1
    struct Order {
        address payer;
        uint88 amount;
        uint8 asset;
        address beneficiary;
        uint88 tokens;
        OrderState state;
    }

    event Paid(
        bytes32 indexed orderId,
        address indexed payer,
        address indexed beneficiary,
        address asset,
        uint256 amount,
        uint256 tokens
    );
    event Locked(address indexed by);
    event Closed(uint256 closeAt);
    event Delivered(address indexed by, uint256 tokens);
    event Proceeds(address indexed asset, uint256 amount);
    event Claimed(bytes32 indexed orderId, address indexed beneficiary, uint256 tokens);
    event OrderCancelled(bytes32 indexed orderId);
    event RoundCancelled();
    event Refunded(bytes32 indexed orderId, address indexed to, address asset, uint256 amount);
    event Leftover(uint256 tokens);
    event QuoteKeyChanged(address quoteKey);

    /// @notice The token has no code, or seller or treasury is zero, or the treasury is the token.
    error BadAddress();
    /// @notice Closing is past or over 366 days away, review is over 7 days, or delivery ends less than a day after the
    /// review or over 180 days after closing.
    error BadTimes();
    /// @notice The cap is zero.
    error BadCap();
    /// @notice No asset or over 16, one twice, the token itself, or one without code.
    error BadAssets();
    /// @notice The caller is not the seller.
    error OnlySeller();
    /// @notice The caller is not the order's payer.
    error OnlyPayer();
    /// @notice The round does not take payments, any longer.
    error NotOpen();
    /// @notice Not all tokens of the cap lie here yet.
    error NotLocked();
    /// @notice All tokens of the cap lie here already.
    error AlreadyLocked();
    /// @notice The caller is not the payer of the quote.
    error WrongPayer();
    /// @notice The quote is no longer valid.
    error QuoteExpired();
    /// @notice The quote's amount or tokens are 0, or 2^88 or more.
    error AmountOutOfRange();
    /// @notice The beneficiary is zero, this contract or the token: nobody could ever use the tokens.
    error BadBeneficiary();
    /// @notice The recipient is zero or this contract.
    error BadRecipient();
    /// @notice The order has been paid before.
    error OrderExists();
    /// @notice The asset is not accepted.
    error UnknownAsset();
    /// @notice The quote key did not sign this quote.
    error WrongSignature();
    /// @notice The live orders would be owed more than the cap.
    error OverCap();
    /// @notice The coin that came along is not what the quote asks for.
    error WrongValue();
    /// @notice The round is not closed, or is delivered or refunding.
    error NotDeliverable();
    /// @notice Only the seller can deliver until the review is over.
    error InReview();
    /// @notice More tokens are owed than the caller allows.
    error OverLimit();
    /// @notice The round is not delivered.
    error NotDelivered();
    /// @notice The round is delivered or refunding.
    error RoundOver();
    /// @notice The round is neither delivered nor refunding.
    error RoundNotOver();
    /// @notice The order is not live.
    error NotLive();
    /// @notice The order is not owed its money, or has it.
    error NotRefundable();
    /// @notice Nothing is due.
    error NothingDue();

    /// @notice Pays for a quote. The caller is its payer; an ERC-20 is taken from the caller, who has allowed it.
    function pay(Quote calldata quote, bytes calldata signature) external payable;

    /// @notice `pay` with a permit instead of an allowance. A permit that somebody used before is no hindrance.
    function payWithPermit(Quote calldata quote, bytes calldata signature, Permit calldata permit) external;

    /// @notice Takes from the caller what lacks of the cap's tokens. From then on delivery needs nobody's tokens and the
    /// seller can't cancel the round. By anyone, until the round is over.
    function lock() external;

    /// @notice Takes from the caller what lacks of the tokens owed, for all orders together, and frees the money. Between
    /// closing and `deliverBy`: by the seller at once, by anyone after the review.
    /// @param maxTokens refuses if more is owed: an order that came in unseen is not delivered with the others
    function deliver(uint256 maxTokens) external;

    /// @notice Sends the money of the delivered orders in one asset to the treasury. By anyone.
    function proceeds(address asset) external;

    /// @notice Sends the tokens of an order that are unlocked to its beneficiary. By anyone; never expires.
    function claim(bytes32 orderId) external;

    /// @notice Sends the money of an order back to its payer. By anyone, once the order is cancelled or the round refunding.
    function refund(bytes32 orderId) external;

    /// @notice `refund` to another address. By the payer alone.
    function refundTo(bytes32 orderId, address to) external;

    /// @notice Sends the tokens that nobody is owed to the treasury. By anyone, once the round is delivered or refunding.
    function leftover() external;

    /// @notice Ends payments now. By the seller.
    function close() external;

    /// @notice Takes an order out of the round: its money can be refunded at once. By the seller, until the round is over.
    function cancelOrder(bytes32 orderId) external;

    /// @notice Ends the round: everything is refunded. By the seller, while the tokens of the cap are not locked.
    function cancelRound() external;

    /// @notice Replaces the key that signs quotes; zero: there are none. Older quotes can no longer be paid. By the seller.
    function setQuoteKey(address quoteKey_) external;

    function token() external view returns (IERC20);
    function seller() external view returns (address);
    function treasury() external view returns (address);
    function quoteKey() external view returns (address);
    function capTokens() external view returns (uint128);
    /// @notice When payments end or ended; earlier than in the terms if the seller closed.
    function closeAt() external view returns (uint40);
    function deliverBy() external view returns (uint40);
    function review() external view returns (uint32);
    function lockFirst() external view returns (bool);
    function schedule() external view returns (Schedule memory);
    /// @notice When the round was delivered; 0: not yet.
    function deliveredAt() external view returns (uint40);
    /// @notice All tokens of the cap lie here, or have been given to whom they are owed.
    function locked() external view returns (bool);
    /// @notice The seller has cancelled the round.
    function cancelled() external view returns (bool);
    /// @notice Tokens of all live orders, claimed or not.
    function owed() external view returns (uint128);
    /// @notice Tokens that beneficiaries have.
    function claimed() external view returns (uint128);
    /// @notice Tokens of one order that its beneficiary has.
    function claimedOf(bytes32 orderId) external view returns (uint256);
    function state() external view returns (RoundState);
    function assets() external view returns (address[] memory);
    /// @notice Money of the live orders in one asset that is still here.
    function raised(address asset) external view returns (uint256);
    function order(bytes32 orderId) external view returns (Order memory);
    /// @notice Tokens that `claim` would send now.
    function claimable(bytes32 orderId) external view returns (uint256);
    /// @notice The hash that the quote key signs.
    function hashOf(Quote calldata quote) external view returns (bytes32);
}
