// SPDX-License-Identifier: AGPL-3.0-or-later
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ISaleEscrow} from "./ISaleEscrow.sol";
import {Money} from "./Money.sol";
import {Schedule, Vesting} from "./Vesting.sol";

/// @notice See {ISaleEscrow}.
contract SaleEscrow is ISaleEscrow, EIP712, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @dev Books of one asset: its place in the list, counted from 1, and the money of live orders.
    struct Asset {
        uint8 place;
        uint128 raised;
    }

    bytes32 private constant QUOTE_TYPE = keccak256(
        "Quote(bytes32 orderId,address payer,address beneficiary,address asset,uint256 amount,uint256 tokens,uint256 validUntil)"
    );
    /// @dev Enough for any wallet contract; a payer that burns gas does not empty a stranger who refunds many at once.
    uint256 private constant REFUND_GAS = 100_000;

    IERC20 public immutable token;
    address public immutable seller;
    address public immutable treasury;
    uint128 public immutable capTokens;
    uint40 public immutable deliverBy;
    uint32 public immutable review;
    bool public immutable lockFirst;
    uint16 private immutable _startBps;
    uint32 private immutable _cliff;
    uint32 private immutable _linear;

    // One slot, read by every call.
    address public quoteKey;
    uint40 public closeAt;
    uint40 public deliveredAt;
    bool public locked;
    bool public cancelled;

    // One slot.
    uint128 public owed;
    uint128 public claimed;

    address[] private _assetList;
    mapping(address asset => Asset) private _assets;
    mapping(bytes32 orderId => Order) private _orders;
    mapping(bytes32 orderId => uint256) public claimedOf;

    modifier onlySeller() {
        if (msg.sender != seller) revert OnlySeller();
        _;
    }

    constructor(Terms memory terms) EIP712("SaleEscrow", "1") {
        _checkTerms(terms);
        Vesting.check(terms.schedule);
        token = terms.token;
        seller = terms.seller;
        treasury = terms.treasury;
        quoteKey = terms.quoteKey;
        capTokens = terms.capTokens;
        closeAt = terms.closeAt;
        deliverBy = terms.deliverBy;
        review = terms.review;
        lockFirst = terms.lockFirst;
        _startBps = terms.schedule.startBps;
        _cliff = terms.schedule.cliff;
        _linear = terms.schedule.linear;
        _listAssets(terms.assets, address(terms.token));
    }

    /// @inheritdoc ISaleEscrow
    function pay(Quote calldata quote, bytes calldata signature) external payable nonReentrant {
        _accept(quote, signature);
        _takePayment(quote);
    }

    /// @inheritdoc ISaleEscrow
    function payWithPermit(Quote calldata quote, bytes calldata signature, Permit calldata permit)
        external
        nonReentrant
    {
        _accept(quote, signature);
        // A permit is public once sent: whoever uses it first only spares the payer that step.
        try IERC20Permit(quote.asset).permit(
            msg.sender, address(this), quote.amount, permit.deadline, permit.v, permit.r, permit.s
        ) {} catch {}
        _takePayment(quote);
    }

    /// @inheritdoc ISaleEscrow
    function lock() external nonReentrant {
        _requireRunning();
        if (locked) revert AlreadyLocked();
        locked = true;
        emit Locked(msg.sender);
        Money.takeUpTo(token, msg.sender, capTokens);
    }

    /// @inheritdoc ISaleEscrow
    function deliver(uint256 maxTokens) external nonReentrant {
        if (state() != RoundState.Closed) revert NotDeliverable();
        if (msg.sender != seller && block.timestamp < uint256(closeAt) + review) revert InReview();
        uint256 tokens = owed;
        if (tokens > maxTokens) revert OverLimit();
        deliveredAt = uint40(block.timestamp);
        emit Delivered(msg.sender, tokens);
        Money.takeUpTo(token, msg.sender, tokens);
    }

    /// @inheritdoc ISaleEscrow
    function proceeds(address asset) external nonReentrant {
        if (deliveredAt == 0) revert NotDelivered();
        uint256 amount = _assets[asset].raised;
        if (amount == 0) revert NothingDue();
        _assets[asset].raised = 0;
        emit Proceeds(asset, amount);
        Money.give(asset, treasury, amount, gasleft());
    }

    /// @inheritdoc ISaleEscrow
    function claim(bytes32 orderId) external nonReentrant {
        uint256 since = deliveredAt;
        if (since == 0) revert NotDelivered();
        Order storage paid = _orders[orderId];
        if (paid.state != OrderState.Paid) revert NotLive();
        uint256 before = claimedOf[orderId];
        uint256 tokens = _vestedDown(paid.tokens, since) - before;
        if (tokens == 0) revert NothingDue();
        claimedOf[orderId] = before + tokens;
        claimed += uint128(tokens);
        address beneficiary = paid.beneficiary;
        emit Claimed(orderId, beneficiary, tokens);
        token.safeTransfer(beneficiary, tokens);
    }

    /// @inheritdoc ISaleEscrow
    function refund(bytes32 orderId) external nonReentrant {
        _refund(orderId, _orders[orderId].payer, REFUND_GAS);
    }

    /// @inheritdoc ISaleEscrow
    function refundTo(bytes32 orderId, address to) external nonReentrant {
        if (msg.sender != _orders[orderId].payer) revert OnlyPayer();
        if (to == address(0) || to == address(this)) revert BadRecipient();
        _refund(orderId, to, gasleft());
    }

    /// @inheritdoc ISaleEscrow
    function leftover() external nonReentrant {
        RoundState current = state();
        if (current != RoundState.Delivered && current != RoundState.Refunding) revert RoundNotOver();
        // A round that is refunding owes money, and no tokens.
        uint256 kept = current == RoundState.Delivered ? owed - claimed : 0;
        uint256 tokens = token.balanceOf(address(this)) - kept;
        if (tokens == 0) revert NothingDue();
        emit Leftover(tokens);
        token.safeTransfer(treasury, tokens);
    }

    /// @inheritdoc ISaleEscrow
    function close() external onlySeller {
        if (state() != RoundState.Open) revert NotOpen();
        closeAt = uint40(block.timestamp);
        emit Closed(block.timestamp);
    }

    /// @inheritdoc ISaleEscrow
    function cancelOrder(bytes32 orderId) external onlySeller {
        _requireRunning();
        Order storage paid = _orders[orderId];
        if (paid.state != OrderState.Paid) revert NotLive();
        paid.state = OrderState.Cancelled;
        _takeOutOfBooks(paid);
        emit OrderCancelled(orderId);
    }

    /// @inheritdoc ISaleEscrow
    function cancelRound() external onlySeller {
        _requireRunning();
        if (locked) revert AlreadyLocked();
        cancelled = true;
        emit RoundCancelled();
    }

    /// @inheritdoc ISaleEscrow
    function setQuoteKey(address quoteKey_) external onlySeller {
        quoteKey = quoteKey_;
        emit QuoteKeyChanged(quoteKey_);
    }

    /// @inheritdoc ISaleEscrow
    function state() public view returns (RoundState) {
        if (deliveredAt != 0) return RoundState.Delivered;
        if (cancelled || block.timestamp > deliverBy) return RoundState.Refunding;
        return block.timestamp < closeAt ? RoundState.Open : RoundState.Closed;
    }

    /// @inheritdoc ISaleEscrow
    function schedule() public view returns (Schedule memory) {
        return Schedule({startBps: _startBps, cliff: _cliff, linear: _linear});
    }

    /// @inheritdoc ISaleEscrow
    function assets() external view returns (address[] memory) {
        return _assetList;
    }

    /// @inheritdoc ISaleEscrow
    function raised(address asset) external view returns (uint256) {
        return _assets[asset].raised;
    }

    /// @inheritdoc ISaleEscrow
    function order(bytes32 orderId) external view returns (Order memory) {
        return _orders[orderId];
    }

    /// @inheritdoc ISaleEscrow
    function claimable(bytes32 orderId) public view returns (uint256) {
        Order storage paid = _orders[orderId];
        if (deliveredAt == 0 || paid.state != OrderState.Paid) return 0;
        return _vestedDown(paid.tokens, deliveredAt) - claimedOf[orderId];
    }

    /// @inheritdoc ISaleEscrow
    function hashOf(Quote calldata quote) public view returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(QUOTE_TYPE, quote)));
    }

    function _accept(Quote calldata quote, bytes calldata signature) private {
        if (state() != RoundState.Open) revert NotOpen();
        if (lockFirst && !locked) revert NotLocked();
        if (msg.sender != quote.payer) revert WrongPayer();
        if (block.timestamp > quote.validUntil) revert QuoteExpired();
        if (!_isInRange(quote.amount) || !_isInRange(quote.tokens)) revert AmountOutOfRange();
        _checkBeneficiary(quote.beneficiary);
        Order storage place = _orders[quote.orderId];
        if (place.state != OrderState.None) revert OrderExists();
        Asset storage asset = _assets[quote.asset];
        if (asset.place == 0) revert UnknownAsset();
        // Plain recovery: a key that delegated itself to code (EIP-7702) still signs as itself. Zero is never recovered.
        if (ECDSA.recoverCalldata(hashOf(quote), signature) != quoteKey) revert WrongSignature();
        uint256 owedAfter = owed + quote.tokens;
        if (owedAfter > capTokens) revert OverCap();
        if (msg.value != (quote.asset == Money.NATIVE ? quote.amount : 0)) revert WrongValue();

        owed = uint128(owedAfter);
        asset.raised += uint128(quote.amount);
        _orders[quote.orderId] = Order({
            payer: msg.sender,
            amount: uint88(quote.amount),
            asset: asset.place,
            beneficiary: quote.beneficiary,
            tokens: uint88(quote.tokens),
            state: OrderState.Paid
        });
        emit Paid(quote.orderId, msg.sender, quote.beneficiary, quote.asset, quote.amount, quote.tokens);
    }

    function _takePayment(Quote calldata quote) private {
        if (quote.asset != Money.NATIVE) Money.take(IERC20(quote.asset), msg.sender, quote.amount);
    }

    function _refund(bytes32 orderId, address to, uint256 gasMax) private {
        Order storage paid = _orders[orderId];
        if (paid.state == OrderState.Paid && state() == RoundState.Refunding) _takeOutOfBooks(paid);
        else if (paid.state != OrderState.Cancelled) revert NotRefundable();
        paid.state = OrderState.Refunded;
        address asset = _assetList[paid.asset - 1];
        uint256 amount = paid.amount;
        emit Refunded(orderId, to, asset, amount);
        Money.give(asset, to, amount, gasMax);
    }

    function _takeOutOfBooks(Order storage paid) private {
        owed -= paid.tokens;
        _assets[_assetList[paid.asset - 1]].raised -= paid.amount;
    }

    function _vestedDown(uint256 tokens, uint256 since) private view returns (uint256) {
        return Vesting.vestedDown(schedule(), tokens, block.timestamp - since);
    }

    function _requireRunning() private view {
        RoundState current = state();
        if (current != RoundState.Open && current != RoundState.Closed) revert RoundOver();
    }

    function _isInRange(uint256 amount) private pure returns (bool) {
        return amount != 0 && amount <= type(uint88).max;
    }

    function _checkBeneficiary(address beneficiary) private view {
        if (beneficiary == address(0) || beneficiary == address(this) || beneficiary == address(token)) {
            revert BadBeneficiary();
        }
    }

    function _checkTerms(Terms memory terms) private view {
        address sold = address(terms.token);
        if (sold.code.length == 0 || terms.seller == address(0) || terms.treasury == address(0)) revert BadAddress();
        if (terms.treasury == sold) revert BadAddress();
        if (terms.capTokens == 0) revert BadCap();
        uint256 closing = terms.closeAt;
        if (closing <= block.timestamp || closing > block.timestamp + 366 days) revert BadTimes();
        if (terms.review > 7 days || terms.deliverBy < closing + terms.review + 1 days) revert BadTimes();
        if (terms.deliverBy > closing + 180 days) revert BadTimes();
    }

    function _listAssets(address[] memory list, address sold) private {
        if (list.length == 0 || list.length > 16) revert BadAssets();
        for (uint256 i = 0; i < list.length; i++) {
            address asset = list[i];
            if (_assets[asset].place != 0 || asset == sold) revert BadAssets();
            if (asset != Money.NATIVE && asset.code.length == 0) revert BadAssets();
            _assets[asset].place = uint8(i + 1);
        }
        _assetList = list;
    }
}
