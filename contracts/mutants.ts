/** `find` occurs once in the file. */
export interface Mutant {
  readonly file: string
  readonly find: string
  readonly replace: string
}

const inFile =
  (file: string) =>
  (find: string, replace: string): Mutant => ({ file: `src/${file}.sol`, find, replace })
const escrow = inFile('SaleEscrow')
const distributor = inFile('Distributor')
const money = inFile('Money')
const vesting = inFile('Vesting')
const token = inFile('SaleToken')

/** Mistakes that must each make a test fail. */
export const mutants: readonly Mutant[] = [
  // Paying.
  escrow('if (state() != RoundState.Open) revert NotOpen();\n        if (lockFirst', 'if (lockFirst'),
  escrow('if (lockFirst && !locked) revert NotLocked();', ''),
  escrow('if (msg.sender != quote.payer) revert WrongPayer();', ''),
  escrow('if (block.timestamp > quote.validUntil) revert QuoteExpired();', ''),
  escrow('block.timestamp > quote.validUntil', 'block.timestamp >= quote.validUntil'),
  escrow('!_isInRange(quote.amount) || !_isInRange(quote.tokens)', '!_isInRange(quote.tokens)'),
  escrow('!_isInRange(quote.amount) || !_isInRange(quote.tokens)', '!_isInRange(quote.amount)'),
  escrow('amount != 0 && amount <= type(uint88).max', 'amount <= type(uint88).max'),
  escrow('amount <= type(uint88).max', 'amount < type(uint88).max'),
  escrow('amount != 0 && amount <= type(uint88).max', 'amount != 0'),
  escrow('_checkBeneficiary(quote.beneficiary);', ''),
  escrow('beneficiary == address(0) || ', ''),
  escrow('beneficiary == address(this) || ', ''),
  escrow(' || beneficiary == address(token)', ''),
  escrow('if (place.state != OrderState.None) revert OrderExists();', ''),
  escrow('place.state != OrderState.None', 'place.state == OrderState.Paid'),
  escrow('if (asset.place == 0) revert UnknownAsset();', ''),
  escrow(
    'if (ECDSA.recoverCalldata(hashOf(quote), signature) != quoteKey) revert WrongSignature();',
    'ECDSA.recoverCalldata(hashOf(quote), signature);',
  ),
  escrow(
    'return _hashTypedDataV4(keccak256(abi.encode(QUOTE_TYPE, quote)));',
    'return keccak256(abi.encode(QUOTE_TYPE, quote));',
  ),
  escrow('if (owedAfter > capTokens) revert OverCap();', ''),
  escrow('owedAfter > capTokens', 'owedAfter >= capTokens'),
  escrow('if (msg.value != (quote.asset == Money.NATIVE ? quote.amount : 0)) revert WrongValue();', ''),
  escrow('(quote.asset == Money.NATIVE ? quote.amount : 0)', 'quote.amount'),
  escrow('owed = uint128(owedAfter);', 'owed = uint128(quote.tokens);'),
  escrow('asset.raised += uint128(quote.amount);', 'asset.raised = uint128(quote.amount);'),
  escrow('beneficiary: quote.beneficiary,', 'beneficiary: msg.sender,'),
  escrow('asset: asset.place,', 'asset: 1,'),
  escrow('_accept(quote, signature);\n        // A permit', '// A permit'),
  escrow(
    'permit.v, permit.r, permit.s\n        ) {} catch {}\n        _takePayment(quote);',
    'permit.v, permit.r, permit.s\n        ) {} catch {}',
  ),
  escrow(
    'permit.v, permit.r, permit.s\n        ) {} catch {}',
    'permit.v, permit.r, permit.s\n        ) {} catch { revert(); }',
  ),
  escrow('external payable nonReentrant {', 'external payable {'),
  escrow('        external\n        nonReentrant\n', '        external\n'),
  // Locking and delivering.
  escrow('external nonReentrant {\n        _requireRunning();', 'external {\n        _requireRunning();'),
  escrow(
    '_requireRunning();\n        if (locked) revert AlreadyLocked();\n        locked',
    'if (locked) revert AlreadyLocked();\n        locked',
  ),
  escrow('if (locked) revert AlreadyLocked();\n        locked = true;', 'locked = true;'),
  escrow('Money.takeUpTo(token, msg.sender, capTokens);', ''),
  escrow('Money.takeUpTo(token, msg.sender, capTokens);', 'Money.takeUpTo(token, msg.sender, owed);'),
  escrow('        locked = true;\n', ''),
  escrow('if (state() != RoundState.Closed) revert NotDeliverable();', ''),
  escrow(
    'state() != RoundState.Closed) revert NotDeliverable',
    'state() == RoundState.Open) revert NotDeliverable',
  ),
  escrow(
    'state() != RoundState.Closed) revert NotDeliverable',
    'state() == RoundState.Delivered) revert NotDeliverable',
  ),
  escrow('if (msg.sender != seller && block.timestamp < uint256(closeAt) + review) revert InReview();', ''),
  escrow(
    'msg.sender != seller && block.timestamp < uint256(closeAt) + review',
    'block.timestamp < uint256(closeAt) + review',
  ),
  escrow('block.timestamp < uint256(closeAt) + review', 'block.timestamp <= uint256(closeAt) + review'),
  escrow('if (tokens > maxTokens) revert OverLimit();', ''),
  escrow('tokens > maxTokens', 'tokens >= maxTokens'),
  escrow('Money.takeUpTo(token, msg.sender, tokens);', ''),
  escrow('deliveredAt = uint40(block.timestamp);', 'deliveredAt = closeAt;'),
  escrow(
    'function deliver(uint256 maxTokens) external nonReentrant {',
    'function deliver(uint256 maxTokens) external {',
  ),
  // Proceeds, claims, leftovers.
  escrow('if (deliveredAt == 0) revert NotDelivered();\n        uint256 amount', 'uint256 amount'),
  escrow('if (amount == 0) revert NothingDue();\n        _assets', '_assets'),
  escrow('_assets[asset].raised = 0;', ''),
  escrow(
    'Money.give(asset, treasury, amount, gasleft());',
    'Money.give(asset, msg.sender, amount, gasleft());',
  ),
  escrow(
    'Money.give(asset, treasury, amount, gasleft());',
    'Money.give(asset, treasury, amount, REFUND_GAS);',
  ),
  escrow(
    'function proceeds(address asset) external nonReentrant {',
    'function proceeds(address asset) external {',
  ),
  escrow('if (since == 0) revert NotDelivered();', ''),
  escrow('if (paid.state != OrderState.Paid) revert NotLive();\n        uint256 before', 'uint256 before'),
  escrow('if (tokens == 0) revert NothingDue();\n        claimedOf', 'claimedOf'),
  escrow('claimedOf[orderId] = before + tokens;', 'claimedOf[orderId] = tokens;'),
  escrow('claimed += uint128(tokens);', ''),
  escrow('token.safeTransfer(beneficiary, tokens);', 'token.safeTransfer(msg.sender, tokens);'),
  escrow(
    'function claim(bytes32 orderId) external nonReentrant {',
    'function claim(bytes32 orderId) external {',
  ),
  escrow(
    'if (current != RoundState.Delivered && current != RoundState.Refunding) revert RoundNotOver();',
    '',
  ),
  escrow(
    'current != RoundState.Delivered && current != RoundState.Refunding',
    'current != RoundState.Delivered',
  ),
  escrow(
    'current == RoundState.Delivered ? owed - claimed : 0',
    'current == RoundState.Delivered ? owed : 0',
  ),
  escrow('current == RoundState.Delivered ? owed - claimed : 0', '0'),
  escrow('current == RoundState.Delivered ? owed - claimed : 0', 'owed - claimed'),
  escrow('token.safeTransfer(treasury, tokens);', 'token.safeTransfer(msg.sender, tokens);'),
  escrow('function leftover() external nonReentrant {', 'function leftover() external {'),
  // Refunds.
  escrow('paid.state == OrderState.Paid && state() == RoundState.Refunding', 'paid.state == OrderState.Paid'),
  escrow('else if (paid.state != OrderState.Cancelled) revert NotRefundable();', ''),
  escrow('paid.state = OrderState.Refunded;', ''),
  escrow(
    'paid.state == OrderState.Paid && state() == RoundState.Refunding) _takeOutOfBooks(paid);',
    'paid.state == OrderState.Paid && state() == RoundState.Refunding) {}',
  ),
  escrow('if (msg.sender != _orders[orderId].payer) revert OnlyPayer();', ''),
  escrow('msg.sender != _orders[orderId].payer', 'msg.sender != _orders[orderId].beneficiary'),
  escrow('to == address(0) || to == address(this)', 'to == address(this)'),
  escrow('to == address(0) || to == address(this)', 'to == address(0)'),
  escrow(
    '_refund(orderId, _orders[orderId].payer, REFUND_GAS);',
    '_refund(orderId, _orders[orderId].beneficiary, REFUND_GAS);',
  ),
  escrow(
    '_refund(orderId, _orders[orderId].payer, REFUND_GAS);',
    '_refund(orderId, _orders[orderId].payer, gasleft());',
  ),
  escrow(
    'function refund(bytes32 orderId) external nonReentrant {',
    'function refund(bytes32 orderId) external {',
  ),
  escrow(
    'function refundTo(bytes32 orderId, address to) external nonReentrant {',
    'function refundTo(bytes32 orderId, address to) external {',
  ),
  escrow('owed -= paid.tokens;', ''),
  escrow('_assets[_assetList[paid.asset - 1]].raised -= paid.amount;', ''),
  // The seller, and the states.
  escrow('if (msg.sender != seller) revert OnlySeller();', ''),
  escrow('function close() external onlySeller {', 'function close() external {'),
  escrow(
    'function cancelOrder(bytes32 orderId) external onlySeller {',
    'function cancelOrder(bytes32 orderId) external {',
  ),
  escrow('function cancelRound() external onlySeller {', 'function cancelRound() external {'),
  escrow(
    'function setQuoteKey(address quoteKey_) external onlySeller {',
    'function setQuoteKey(address quoteKey_) external {',
  ),
  escrow('if (state() != RoundState.Open) revert NotOpen();\n        closeAt', 'closeAt'),
  escrow('_requireRunning();\n        Order storage paid', 'Order storage paid'),
  escrow('if (paid.state != OrderState.Paid) revert NotLive();\n        paid.state', 'paid.state'),
  escrow('_takeOutOfBooks(paid);\n        emit OrderCancelled', 'emit OrderCancelled'),
  escrow(
    '_requireRunning();\n        if (locked) revert AlreadyLocked();\n        cancelled',
    'if (locked) revert AlreadyLocked();\n        cancelled',
  ),
  escrow('if (locked) revert AlreadyLocked();\n        cancelled = true;', 'cancelled = true;'),
  escrow('quoteKey = quoteKey_;', ''),
  escrow('cancelled || block.timestamp > deliverBy', 'block.timestamp > deliverBy'),
  escrow('cancelled || block.timestamp > deliverBy', 'cancelled'),
  escrow('block.timestamp > deliverBy', 'block.timestamp >= deliverBy'),
  escrow('block.timestamp < closeAt ? ', 'block.timestamp <= closeAt ? '),
  escrow('current != RoundState.Open && current != RoundState.Closed', 'current != RoundState.Open'),
  // The terms.
  escrow('sold.code.length == 0 || ', ''),
  escrow('terms.seller == address(0) || ', ''),
  escrow(' || terms.treasury == address(0)', ''),
  escrow('if (terms.treasury == sold) revert BadAddress();', ''),
  escrow('if (terms.capTokens == 0) revert BadCap();', ''),
  escrow('closing <= block.timestamp || ', ''),
  escrow('closing > block.timestamp + 366 days', 'closing > block.timestamp + 367 days'),
  escrow('terms.review > 7 days || ', ''),
  escrow('closing + terms.review + 1 days', 'closing + terms.review'),
  escrow('closing + terms.review + 1 days', 'closing + 1 days'),
  escrow('if (terms.deliverBy > closing + 180 days) revert BadTimes();', ''),
  escrow('list.length == 0 || ', ''),
  escrow(' || list.length > 16', ''),
  escrow('_assets[asset].place != 0 || ', ''),
  escrow(' || asset == sold', ''),
  escrow('if (asset != Money.NATIVE && asset.code.length == 0) revert BadAssets();', ''),
  escrow('Vesting.check(terms.schedule);', ''),
  // Money and vesting.
  money('if (token.balanceOf(address(this)) != here + amount) revert WrongAmountReceived();', ''),
  money('wanted - here, here', 'wanted, here'),
  money('if (here < wanted) ', ''),
  money('if (!accepted) revert NotAccepted(to);', ''),
  money('call(gasMax, to', 'call(gas(), to'),
  vesting('schedule.startBps > BPS || ', ''),
  vesting(' || duration(schedule) > LONGEST', ''),
  vesting('uint256(schedule.cliff) + schedule.linear', 'uint256(schedule.linear)'),
  vesting('if (elapsed <= schedule.cliff) return atStart;', ''),
  vesting('elapsed <= schedule.cliff', 'elapsed < schedule.cliff + 1 days'),
  vesting('(amount - atStart) * (elapsed - schedule.cliff)', '(amount - atStart) * elapsed'),
  vesting('return atStart + (amount - atStart)', 'return (amount - atStart)'),
  // Distributor.
  distributor('if (funded) revert AlreadyFunded();', ''),
  distributor('        funded = true;\n', ''),
  distributor('Money.takeUpTo(token, msg.sender, total);', ''),
  distributor('if (!funded) revert NotFunded();', ''),
  distributor('if (_claim(row, schedule()) == 0) revert NothingDue();', '_claim(row, schedule());'),
  distributor('if (!MerkleProof.verifyCalldata(row.proof, root, leaf)) revert WrongProof();', ''),
  distributor(
    'keccak256(bytes.concat(keccak256(abi.encode(place, account, tokens))))',
    'keccak256(abi.encode(place, account, tokens))',
  ),
  distributor('abi.encode(place, account, tokens)', 'abi.encode(account, tokens)'),
  distributor('- before;', ';'),
  distributor('if (claimedAfter > total) revert OverTotal();', ''),
  distributor('claimedAfter > total', 'claimedAfter >= total'),
  distributor('claimed = uint128(claimedAfter);', ''),
  distributor('claimedOf[leaf] = before + tokens;', 'claimedOf[leaf] = tokens;'),
  distributor('token.safeTransfer(row.account, tokens);', 'token.safeTransfer(msg.sender, tokens);'),
  distributor('if (block.timestamp < start) return 0;', ''),
  distributor('if (block.timestamp < leftoverFrom) revert TooEarly();', ''),
  distributor('block.timestamp < leftoverFrom', 'block.timestamp <= leftoverFrom'),
  distributor('token.safeTransfer(leftoverTo, tokens);', 'token.safeTransfer(msg.sender, tokens);'),
  distributor(' + 365 days', ''),
  distributor('terms.start + Vesting.duration(terms.schedule)', 'terms.start'),
  distributor('terms.root == 0 || ', ''),
  distributor(' || terms.total == 0', ''),
  distributor('sold.code.length == 0 || ', ''),
  distributor('terms.leftoverTo == address(0) || ', ''),
  distributor(' || terms.leftoverTo == sold', ''),
  distributor('Vesting.check(terms.schedule);', ''),
  // Token and factories.
  token('holders.length == 0 || ', ''),
  token(' || holders.length != amounts.length', ''),
  token('if (amounts[place] == 0) revert EmptyShare(place);', ''),
  inFile('TokenFactory')('made[token] = true;', ''),
  inFile('TokenFactory')('{salt: salt}', ''),
  inFile('EscrowFactory')('if (!tokens.made(address(terms.token))) revert UnknownToken();', ''),
  inFile('EscrowFactory')('made[escrow] = true;', ''),
  inFile('EscrowFactory')('{salt: salt}', ''),
  inFile('DistributorFactory')('if (!tokens.made(address(terms.token))) revert UnknownToken();', ''),
  inFile('DistributorFactory')('made[distributor] = true;', ''),
  inFile('DistributorFactory')('{salt: salt}', ''),
]
