// Written by `python -m tools.web_types` from the server's types. Do not edit.

declare namespace Server {
  /** The arguments of a request: parameters may be left out if all of them may. */
  type Arguments<T> = {} extends T ? [parameters?: T] : [parameters: T];
  /** A page of people. */
  type AccountListResponse = { people: AccountResponse[] };
  /** Requests that wait for a second person. */
  type AccountRequestListResponse = { requests: AccountRequestResponse[] };
  /** A request for an act on an account. The link and its code are shown only once. */
  type AccountRequestResponse = { id: string; at: number; act: string; name: string; role: "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator"; was: string; by: string; by_role: string; status: string; second: string; decided_at: number; path: string; link_code: string; valid_hours: number };
  /** The account of a person. */
  type AccountResponse = { name: string; role: "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator"; guest: boolean; active: boolean; can_sign_in: boolean; failures: number; locked: boolean; second_factor: boolean; must_change_password: boolean; created_at: number; created_by: string; approved_by: string };
  /** An act on the account in the path. */
  type ActRequest = { key?: string };
  /** A choice with its exact value and cost. */
  type AdviceChoice = { choice: string; value: string; value_float: number; cost: string; cost_float: number; amount_cents: number | null; value_cents_float: number; cost_cents_float: number };
  /** The exact value of every choice in the open decision. */
  type AdviceView = { round: number; street: number; seat: number; ante_cents: number; title: string; best: string; choices: AdviceChoice[] };
  /** The newest events of all tables; `more` says whether there are others. */
  type AllTablesEvents = { events: TablesEvent[]; more: boolean };
  /** A request and its status. */
  type ApprovalResponse = { id: string; at: number; kind: string; by: string; role: string; table: string; patron: string; meter: string; amount_cents: number; reason: string; status: string; second: string; decided_at: number; correction?: EntryCorrection | null };
  type AuditCheck = { check: string; problems: number };
  type AuditFinding = { seq: number; clause: string; message: string };
  /** The report of `croupier audit` on a record. */
  type AuditReport = { rounds: number; events: number; problems: AuditFinding[]; corrections: AuditFinding[]; checked: AuditCheck[]; notes: string[] };
  /** The balance of a patron's account with the house. */
  type BalanceResponse = { patron: string; balance_cents: number; currency?: "real" | "play" };
  type BettingArea = { wagers: string[]; electronic: boolean; clause: string };
  /** The books of a meter as text. */
  type BookedAmounts = { seeded: string; contributed: string; moved: string; adjusted: string; won: string; amount: string; overflow: string; waiting: string };
  type CardArea = { area: string; clause: string };
  /** The hand that is being entered: its cards so far, those still to enter, and the cards that are out. */
  type CardEntryView = { place: string; seat: number; title: string; cards: (string | null)[]; numbers: number[]; hand: string; out: string[]; payments: PaymentDue[] };
  type CardSlot = { place: string; seat: number; face_up: boolean };
  /** The cards at a place; a card that the viewer may not see is `None`. */
  type CardsView = { place: string; seat: number; cards: (string | null)[] };
  /** Money from the account to the table, or back if it is negative. */
  type ChipsRequest = { amount_cents: number; key: string };
  type ChoiceValue = { choice: string; value: string; value_float: number; cost: string; cost_float: number; value_cents_float: number; cost_cents_float: number };
  type ClauseField = { clause: string };
  /** A paraphrase of a clause. */
  type ClauseText = { edition: string; clause: string; topic: string; gist: string };
  /** A deadline in milliseconds since 1970. */
  type ClockView = { what: string; at: number; seat: number; now: number };
  type CommandAnswer = { table: string; seq: number; repeated: boolean; events: Record<string, unknown>[] };
  type CountField = { most: number; clause: string };
  /** Who is signed in, and what a sign-in page may offer. */
  type CurrentPersonResponse = { person: PersonResponse | null; csrf: string | null; pending: string; guests: boolean; registration: boolean; play_money_only: boolean };
  /** The figures of a gaming day, in milliseconds since 1970 and cents. */
  type DayReport = { start: number; end: number; tables: TableDayRow[]; wagers: WagerDayRow[] };
  type DealingFields = { methods: string[]; shufflers: string[]; dealer_cards_first: string; four_card_stacks: string; hand_clause: string; decks_clause: string; substitute_methods: string[]; substitute_shufflers: string[]; substitutes_clause: string };
  /** What a seat may decide: amounts, or a range of them. */
  type DecisionChoices = { wager: string; title: string; amounts_cents: number[]; least_cents: number | null; most_cents: number | null; declined: string };
  type DecisionDrill = { kind: "decide"; edition: string; number: string; question: DecisionQuestion };
  type DecisionMarks = { kind: "decide"; score: number; right: RightChoice; choices: ChoiceValue[]; chosen: ChoiceValue | null };
  type DecisionQuestion = { hand: string[]; up: string[]; board: string[]; raised: number[]; wager: string; ante_cents: number; choices: string[] };
  type DeckView = { deck: number; step: string; arrived_at: number; in_use: boolean };
  type Devices = { method: string; shuffler: string };
  /** The request succeeded. */
  type DoneResponse = { done?: true };
  /** An answer to the question with a number. */
  type DrillAnswerRequest = { edition: string; number: string; answer: unknown };
  type DrillChoice = { choice: string; title: string };
  type DrillEntry = { seat: number; wager: string; title: string; staked_cents: number; outcome: string; returned_cents: number; paid_cents: number; clause: string; why: string };
  type DrillHand = { place: string; seat: number; cards: string[] };
  type DrillWager = { seat: number; wager: string; title: string; staked_cents: number };
  /** A text and its edits, which are made in order. */
  type EditSubmissionRequest = { text: string; edits: TextEditRequest[] };
  /** The text after the edits, and its check. */
  type EditedSubmissionResponse = { valid: boolean; problems: ProblemResponse[]; warnings: ProblemResponse[]; data: Record<string, unknown> | null; text: string };
  type EditionEntry = { edition: string; title: string; jurisdiction: string; status: string };
  /** An entry of a round, the amounts that it has, and those that it should have. */
  type EntryCorrection = { round: number; seat: number; wager: string; number?: number; old_returned_cents: number; old_paid_cents: number; returned_cents: number; paid_cents: number };
  /** Errors that a program tells apart without reading the sentence. Stored with a command: at most 8 characters. */
  type ErrorCode = "" | "occupied" | "recount" | "csrf" | "totp" | "password";
  /** Why a request was refused. */
  type ErrorDetail = { reason: string; clause?: string; place?: string; code?: ErrorCode };
  /** The body of every response that is not a success. */
  type ErrorResponse = { error: ErrorDetail };
  /** An event as a viewer may see it, with the fields of its kind. */
  type EventPayload = TableEvent;
  /** A Rules Submission and its name; an existing name gets a new version. */
  type FileSubmissionRequest = { text: string; name: string };
  type FloorClock = { what: string; seat: number; at: number; over: boolean };
  type FloorDeck = { deck: number; step: string; arrived_at: number; in_use: boolean; change_due: boolean };
  type FloorPrompt = { command: string; text: string; clause: string; seat: number; deck: number };
  /** A rule that a floorperson's decision may concern. */
  type FloorRule = { rule: string; clause: string };
  /** A table on the floor, and what needs a floorperson. */
  type FloorTable = { table: string; seq: number; edition: string; game: string; mode: "electronic" | "staffed"; currency: "real" | "play"; phase: "closed" | "opening" | "idle" | "shuffling" | "cutting" | "loading" | "betting" | "dealing" | "stub" | "deciding" | "collecting" | "revealing" | "settling" | "racking"; round: number; in_round: boolean; enters_cards: boolean; void: string; seats: number; taken: number; absent: string[]; closing: boolean; waits: FloorPrompt[]; next: string; next_role: "system" | "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator" | ""; can_recut: boolean; can_shuffle: boolean; can_replace: boolean; clock: FloorClock | null; decks: FloorDeck[]; rounds_since_stub_count: number; stub_count_every: number; counts_stub: boolean; pending: PendingWin[]; out_of_order: boolean; at: number };
  type FloorView = { now: number; tables: FloorTable[] };
  type FormArea = { wagers: string[]; clause: string };
  type FormCardArea = { area: string; wager: string; election: string; choice: string };
  type FormElection = { election: string; title: string; choices: string[]; default: string; clause: string; kind: string; on: string; question: string; says: Record<string, string> };
  type FormWager = { wager: string; title: string; clause: string; required: boolean; needs: string[]; on_a_meter: boolean; electronic: boolean };
  /** How a game is played: its aim, its course in pictures, the order of hands, what each wager is on. */
  type GameGuide = { aim: string; steps: GuideStepView[]; ranking: RankedExampleView[]; wagers: WagerGuideView[] };
  /** A guest needs neither name nor password. */
  type GuestRequest = { bearer?: boolean };
  type GuideStepView = { title: string; text: string; wagers: string[]; cards: PicturedCardsView[] };
  type HandDrill = { kind: "read_hand"; edition: string; number: string; question: HandQuestion };
  type HandMarks = { kind: "read_hand"; score: number; right: DrillChoice; best_cards: string[]; clause: string };
  type HandQuestion = { cards: string[]; size: number; choices: DrillChoice[] };
  /** A place of the layout that cards were dealt to, with the number that it should have. */
  type HandToCount = { place: string; seat: number; title: string; expected: number };
  /** A hand whose cards the viewer sees: its name with ranks, and the cards that play. */
  type HandView = { place: string; seat: number; name: string; playing: string[] };
  type HistoricTableEntry = { table: string; edition: string; game: string; jurisdiction: string; status: string; opened_at: number };
  /** Actual and theoretical hold of a bet; no range for a bet that a meter pays. */
  type HoldRow = { currency: "real" | "play"; edition: string; game: string; jurisdiction: string; wager: string; title: string; paytables: string[]; tables: string[]; entries: number; handle_cents: number; win_cents: number; actual_percent: number; house_edge: string; theoretical_percent: number; low_percent: number | null; high_percent: number | null; outside: boolean; on_a_meter: boolean };
  type InscriptionView = { text: string; clause: string };
  /** A person who will set their password with a one-time link. */
  type InvitationRequest = { name: string; role: "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator"; key?: string };
  type IrregularityDrill = { kind: "irregularity"; edition: string; number: string; question: IrregularityQuestion };
  type IrregularityMarks = { kind: "irregularity"; score: number; right: RightChoice; clause: string };
  type IrregularityQuestion = { situation: Situation; choices: string[] };
  /** The token of a one-time link, and the new password. */
  type JoinRequest = { token: string; name?: string; password: string; link_code?: string; one_time_code?: string; bearer?: boolean };
  /** A line of the house journal; `entries` are the changes of each account. */
  type JournalLine = { number: number; hash: string; at: number; kind: string; by: JournalPerson; second: JournalPerson | null; table: string; patron: string; data: Record<string, unknown>; entries: JournalPosting[] };
  type JournalPerson = { name: string; role: "system" | "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator" };
  type JournalPosting = { account: string; owner: string; amount_cents: number };
  type LayoutFields = { areas: FormArea[]; card_areas: FormCardArea[]; odds: string; payout_limit: string };
  /** What the layout of a table must show. */
  type LayoutView = { positions: string; operator_name: string; areas: BettingArea[]; card_areas: CardArea[]; cards: Record<string, number>; inscriptions: InscriptionView[]; odds: string; payout_limit: string };
  type LinkMeterResponse = { meter: string; display_cents: number };
  type LinkResponse = { link: string; facility: string; meters: LinkMeterResponse[]; entries: number };
  /** The process is alive. */
  type Liveness = { healthy: boolean; version: string; tables: number };
  /** One line of the lobby. */
  type LobbyEntry = { table: string; edition: string; game: string; jurisdiction: string; mode: "electronic" | "staffed"; currency: "real" | "play"; self_service: boolean; seats: number; taken: number[]; yours: number[]; phase: "closed" | "opening" | "idle" | "shuffling" | "cutting" | "loading" | "betting" | "dealing" | "stub" | "deciding" | "collecting" | "revealing" | "settling" | "racking"; round: number; minimum_cents: number; maximum_cents: number; limits: string; meters: MeterView[] };
  /** A meter with its books, and whether they agree. */
  type MeterRow = { display_cents: number; hits: number; paid_by_system_cents: number; paid_by_attendant_cents: number; pending: number; agrees: boolean; books: BookedAmounts; table: string; meter: string; title: string };
  type MeterView = { meter: string; title: string; label: string; display_cents: number };
  /** A movement of money, a change of a meter, or a correction of a payment, for somebody else to approve. */
  type NewApprovalRequest = { id: string; kind: "deposit" | "withdrawal" | "buy_in" | "cash_out" | "opening_inventory" | "closing_inventory" | "fill" | "credit" | "drop" | "meter_setup" | "meter_correction" | "payment_correction"; amount_cents: number; table?: string; patron?: string; meter?: string; reason?: string; correction?: EntryCorrection | null };
  /** Meters that several tables share. */
  type NewLinkRequest = { name: string };
  type NewLinkResponse = { link: string; facility: string };
  /** A person with a first password, which they must change when they sign in. */
  type NewPersonRequest = { name: string; role: "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator"; password: string };
  /** A step that somebody may take next; `choices` only for decisions, `shuffle` only for a shuffle. */
  type NextStep = { role: "system" | "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator"; command: string; text: string; clause: string; seat: number; deck: number; choices?: DecisionChoices; shuffle?: ShuffleChoices };
  /** A code of the new secret. */
  type OneTimeCodeRequest = { one_time_code: string };
  /** A table under an approved version of a Rules Submission. */
  type OpenTableRequest = { table: string; submission: string; version: number; mode?: "electronic" | "staffed"; betting_seconds?: number | null; decision_seconds?: number | null; on_time_out?: "fold" | "wait" | null; self_service?: boolean; verifiable?: boolean; card_source?: "system" | "reading_shoe" | "plain_shoe" | null; link?: string; currency?: "real" | "play" | null };
  type OpenedTableResponse = { table: string; mode: "electronic" | "staffed" };
  /** The viewer; amounts only for patrons. */
  type OwnView = { name: string; role: "system" | "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator"; seats: number[]; chips_cents: number | null; game_account_cents: number | null; owed_cents: number | null };
  /** The old and the new password. */
  type PasswordChangeRequest = { old: string; new: string };
  /** A past round as a viewer may look back at it. */
  type PastRound = { round: number; void: string; cards: CardsView[]; your_seats: number[]; your_net_cents: number | null; settled: SettledWager[]; hands: HandView[]; results: SeatResult[] };
  /** The action is on disk; `seq` is the number of the table's last event. */
  type PatronActionResponse = { table: string; seq: number };
  type PatronAmount = { patron: string; amount_cents: number };
  /** What a settlement would pay for one wager or bonus. */
  type PaymentDue = { seat: number; wager: string; title: string; staked_cents: number; outcome: string; returned_cents: number; paid_cents: number; pays: string };
  type PayoutLimitField = { floor_cents: number; clause: string };
  /** What a wager pays at least and at most. */
  type PayoutRange = { least: string; most: string; clause: string };
  type PaytableRow = { hand: string; title: string; pays: string; clause: string };
  type PaytableRules = { table: string; title: string; on: string; letter: string; clause: string; rows: PaytableRow[] };
  type PendingWin = { meter: string; seat: number; round: number; table: string };
  /** A person and their role. */
  type PersonResponse = { name: string; role: "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator"; guest: boolean };
  /** Cards in a picture: `None` lies face down, `playing` lists those that form a hand. */
  type PicturedCardsView = { place: string; cards: (string | null)[]; playing: string[] };
  type PlacedWager = { seat: number; wager: string; title: string; amount_cents: number };
  type ProblemResponse = { key: string; clause: string; message: string };
  type RankedExampleView = { hand: string; title: string; example: string[]; example_name: string };
  /** Commands can be carried out. */
  type ReadinessReport = { ready: boolean };
  type Ready = { closed: boolean; waiting_for: string[]; seq: number };
  /** A patron who opens an account. */
  type RegistrationRequest = { name: string; password: string; bearer?: boolean };
  /** A card, `None` if it stays hidden; `up` says whether the viewer could see it at that moment. */
  type ReplayCard = { card: string | null; up: boolean };
  type ReplayPlace = { place: string; seat: number; cards: ReplayCard[] };
  type ReplaySeat = { seat: number; patron: string };
  /** An event and the felt after it. */
  type ReplayStep = { seq: number; at: number; event: string; by: string; role: "system" | "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator"; seat: number; clause: string; text: string; moved: PatronAmount[]; cards: ReplayPlace[]; wagers: PlacedWager[]; settled: ReplayedWager[] };
  type ReplayedWager = { seat: number; wager: string; title: string; outcome: string; net_cents: number };
  type RetiredTableResponse = { table: string };
  type RightChoice = { choice: string };
  /** The new role. */
  type RoleChangeRequest = { role: "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator"; key?: string };
  /** A past round in sentences. */
  type RoundRecall = { table: string; round: number; complete: boolean; lines: string[] };
  /** A past round in steps. */
  type RoundReplay = { table: string; edition: string; round: number; complete: boolean; void: string; seats: ReplaySeat[]; steps: ReplayStep[] };
  /** Why a seat won or lost, in one or two sentences. */
  type SeatResult = { seat: number; text: string };
  type SeatView = { seat: number; patron: string; absent: boolean };
  /** A new secret for an authenticator; whoever has one already gives a code of it. */
  type SecondFactorRequest = { one_time_code?: string };
  /** A secret for an authenticator, which is shown only once. */
  type SecondFactorResponse = { secret: string; uri: string };
  type ServedTableRules = { table: string; edition: string; game: string; jurisdiction: string; regulation: string; status: string; seats: number; adjacent_boxes: number; dealing: string; payout_limit_cents: number | null; verifiable: boolean; elections: Record<string, string>; wagers: WagerRules[]; paytables: PaytableRules[]; streets: string[]; pulled_back: string[]; dealt_in: string[]; layout: LayoutView; house_edges: TableEdge[]; facility: string };
  /** A table with the way it is run. */
  type ServedTableView = { table: string; seq: number; edition: string; phase: "closed" | "opening" | "idle" | "shuffling" | "cutting" | "loading" | "betting" | "dealing" | "stub" | "deciding" | "collecting" | "revealing" | "settling" | "racking"; round: number; closing: boolean; seats: SeatView[]; you: OwnView; wagers: PlacedWager[]; cards: CardsView[]; waiting: number[]; folded: number[]; void: string; settled: SettledWager[]; hands: HandView[]; results: SeatResult[]; last: PastRound | null; prompts: NextStep[]; meters: MeterView[]; clock: ClockView | null; rounds_since_stub_count: number; decks: DeckView[]; commitment: string; next_commitment: string; procedure: StaffProcedure | null; mode: "electronic" | "staffed"; currency: "real" | "play"; self_service: boolean };
  /** A new session. */
  type SessionResponse = { person: PersonResponse; csrf: string; token: string | null; pending: string };
  /** A settled wager with its reason. */
  type SettledWager = { seat: number; patron: string; wager: string; title: string; staked_cents: number; outcome: string; returned_cents: number; paid_cents: number; hand: string; row: string; pays: string; clause: string; why: string };
  type SettlementDrill = { kind: "settle"; edition: string; number: string; question: SettlementQuestion };
  type SettlementMarks = { kind: "settle"; score: number; marks: WagerMarks[]; bonus: boolean; bonus_cents: number; entries: DrillEntry[] };
  type SettlementQuestion = { cards: DrillHand[]; folded: number[]; wagers: DrillWager[]; outcomes: string[]; paytables: PaytableRules[] };
  /** How a deck may be shuffled now, and whether the device counts the cards. */
  type ShuffleChoices = { by_device: boolean; by_hand: boolean; counted: boolean };
  /** Name and password. */
  type SignInRequest = { name: string; password: string; one_time_code?: string; bearer?: boolean };
  /** The seats to take, and the chips to bring from the account. */
  type SitRequest = { seats: number[]; chips_cents?: number; key: string };
  type Situation = { kind: string; before: string };
  /** What staff see beyond the felt. */
  type StaffProcedure = { method: string; methods: string[]; shuffler: string; shufflers: string[]; devices: string[]; reported_devices: string[]; substitutes: Substitute[]; out_of_order: Devices | null; preshuffled: boolean; idle_spreads: ("face_down" | "face_up")[]; floor_rules: FloorRule[]; card_source: string; card_entry: CardEntryView | null; reads_cards: boolean; read: number; slots: CardSlot[]; cut_depth: number; deck_cards: number; drawn: number; stub_count_every: number; stub_count_due: boolean; hands_to_count: HandToCount[]; deck_change_due: number[]; chips: PatronAmount[]; owed: PatronAmount[]; tray_cents: number; exposure: string; settles_optional: boolean };
  /** Whether a text is a valid Rules Submission, its problems, and warnings of what somebody should look at. */
  type SubmissionCheckResponse = { valid: boolean; problems: ProblemResponse[]; warnings: ProblemResponse[]; data: Record<string, unknown> | null };
  /** The exact figures of a wager under the elections of a text. */
  type SubmissionEdge = { wager: string; title: string; house_edge: string; house_edge_percent: number; hit_frequency: string; variance_float: number; hit_frequency_float: number; average_wager_float: number; on_a_meter: boolean };
  type SubmissionEdges = { edition: string; wagers: SubmissionEdge[]; warnings: SubmissionWarning[] };
  /** The fields and a valid draft. */
  type SubmissionForm = { edition: string; title: string; jurisdiction: string; regulation: string; status: string; operator: string; seats: CountField; adjacent_boxes: ClauseField; smallest_chip: ClauseField; odd_cents: string[]; wagers: FormWager[]; elections: FormElection[]; payout_limit: PayoutLimitField | null; dealing: DealingFields; layout: LayoutFields; required: string[]; draft: string };
  type SubmissionResponse = { name: string; version: number; edition: string; filed_at: number; filed_by: string; approved_at: number | null; approved_by: string };
  /** A Rules Submission as TOML. */
  type SubmissionTextRequest = { text: string };
  type SubmissionTextResponse = { name: string; version: number; edition: string; filed_at: number; filed_by: string; approved_at: number | null; approved_by: string; text: string };
  /** What no rule forbids, but somebody should look at before it is filed. */
  type SubmissionWarning = { key: string; clause: string; message: string };
  /** A way to deal that may replace a device which was reported out of order. */
  type Substitute = { device: string; method: string; shuffler: string };
  type TableDayRow = { table: string; currency: "real" | "play"; opening_cents: number; fills_cents: number; credits_cents: number; closing_cents: number | null; expected_closing_cents: number; variance_cents: number | null; drop_cents: number; drop_variance_cents: number; chips_sold_cents: number; settled_cents: number; fund_cents: number; win_cents: number | null; hold: string | null; hold_percent: number | null };
  /** The exact house edge of a wager. */
  type TableEdge = { wager: string; title: string; house_edge: string; house_edge_percent: number; hit_frequency: string };
  /** Events of one table; `hidden_from` is the number of the first event that is still secret. */
  type TableEvents = { events: EventPayload[]; hidden_from: number | null };
  /** A table as a viewer sees it now. */
  type TableView = { table: string; seq: number; edition: string; phase: "closed" | "opening" | "idle" | "shuffling" | "cutting" | "loading" | "betting" | "dealing" | "stub" | "deciding" | "collecting" | "revealing" | "settling" | "racking"; round: number; closing: boolean; seats: SeatView[]; you: OwnView; wagers: PlacedWager[]; cards: CardsView[]; waiting: number[]; folded: number[]; void: string; settled: SettledWager[]; hands: HandView[]; results: SeatResult[]; last: PastRound | null; prompts: NextStep[]; meters: MeterView[]; clock: ClockView | null; rounds_since_stub_count: number; decks: DeckView[]; commitment: string; next_commitment: string; procedure: StaffProcedure | null };
  /** An event and its table. */
  type TablesEvent = TableEvent & { table: string };
  /** Sets a key of a Rules Submission, or removes it if the value is null. */
  type TextEditRequest = { key: string[]; value: string | boolean | number | string[] | null };
  type WagerDayRow = { currency: "real" | "play"; edition: string; game: string; game_title: string; wager: string; title: string; paytable: string; entries: number; handle_cents: number; returned_cents: number; paid_cents: number; win_cents: number; fund_handle_cents: number; fund_paid_cents: number; held: string | null; held_percent: number | null };
  type WagerGuideView = { wager: string; text: string };
  type WagerMarks = { seat: number; wager: string; order: boolean; outcome: boolean; paid: boolean };
  /** A wager that a table offers; limits are `None` for wagers that follow from others. */
  type WagerRules = { wager: string; title: string; clause: string; required: boolean; made_in_play: boolean; placed_with: string; placed_with_title: string; electronic: boolean; on_a_meter: boolean; minimum_cents: number | null; maximum_cents: number | null; fixed_cents: number | null; needs: string[]; needs_any: string[]; multiples: number[]; between: number[] | null; odds: PayoutRange | null };
  /** A message to somebody who watches a table: new events and the view after them. */
  type WatchMessage = { seq: number; missed: boolean; events: EventPayload[]; view: TableView };
  /** A command as it is sent. */
  type Command = { [C in keyof Commands]: { command: C; key: string; seq: number } & Commands[C] }[keyof Commands];
  interface Commands {
    AnnounceLeaving: { patron: string };
    AnnounceNoMoreBets: {};
    CloseTable: {};
    CollectForfeits: {};
    CompleteDocuments: { seat: number; reference: string };
    ContributeToDeal: { patron: string; text: string };
    CorrectCard: { place: string; seat?: number; number: number; card: string | null; reason?: string };
    CountProgressiveChips: { counted: number };
    CountStub: { stub: number; hands?: { place: string; seat: number; cards: number }[] };
    Cut: { depth: number };
    Deal: { face_up?: string[]; cards_dealt?: number };
    Decide: { seat: number; amount: number | null };
    DecideOnAbsence: { patron: string; abandoned: boolean; reason: string };
    DecideOnTheFloor: { outcome: string; reason: string; concerns?: string; place?: string; seat?: number; number?: number; card?: string | null; discarded?: string | null };
    EnterCards: { place: string; seat?: number; number?: number; cards: string[] };
    FundAccount: { patron: string; amount: number };
    GetReady: { patron: string };
    InspectCards: { deck: number; defect?: string };
    Leave: { patron: string };
    LoadCards: {};
    OrderRecut: { reason: string };
    OrderShuffle: { reason: string };
    PlaceWager: { seat: number; wager: string; amount: number; spoken?: boolean };
    RackCards: {};
    RackStub: {};
    ReadCards: { cards: string[] };
    ReceiveCards: { decks: number[]; preshuffled?: boolean };
    ReportCardDrawnInError: { exposed: boolean };
    ReportDeviceFailure: { device: string };
    ReportDuplicateCard: { place: string; seat?: number; number: number; card: string };
    ReportExposedCard: {};
    ReportShoeJam: {};
    ReportShufflerJam: {};
    ReportWrongNumberOfCards: { where: string };
    ResolveChipCount: { reason: string };
    RestoreDevice: {};
    ReturnExcessWager: { seat: number; reason: string };
    RevealCards: {};
    RuleOnDuplicateCard: { is_duplicate: boolean; reason: string };
    SettleSeat: { seat: number };
    Shuffle: { deck: number; by_device: boolean; count?: number | null };
    Sit: { patron: string; seats: number[] };
    SpreadCards: { deck: number };
    SpreadIdleCards: { face_up?: boolean };
    TakeDeviceOutOfOrder: { device: string; marked: string; method: string; shuffler: string };
    ValidateWin: { seat: number; reason?: string };
    VerifyInspection: { deck: number };
    VerifyWin: { seat: number; lit?: boolean };
    WashCards: { deck: number };
  }
  type Actor = { name: string; role: "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator" | "system" };
  interface Events {
    CardCorrected: { seq: number; round: number; text: string; event: "CardCorrected"; clause: string; by: Actor; at: number; place: string; seat: number; number: number; before: string; card: string | null; reason: string };
    CardEntered: { seq: number; round: number; text: string; event: "CardEntered"; clause: string; by: Actor; at: number; place: string; seat: number; number: number; card: string };
    DuplicateCardReported: { seq: number; round: number; text: string; event: "DuplicateCardReported"; clause: string; by: Actor; at: number; place: string; seat: number; number: number; card: string; first_place: string; first_seat: number; first_number: number };
    DuplicateCardRuled: { seq: number; round: number; text: string; event: "DuplicateCardRuled"; clause: string; by: Actor; at: number; card: string; is_duplicate: boolean; reason: string };
    WagerReduced: { seq: number; round: number; text: string; event: "WagerReduced"; clause: string; by: Actor; at: number; seat: number; wager: string; before: number; amount: number; reason: string };
    CardsReceived: { seq: number; round: number; text: string; event: "CardsReceived"; clause: string; by: Actor; at: number; deck: number; order?: number[]; preshuffled: boolean };
    CardsInspected: { seq: number; round: number; text: string; event: "CardsInspected"; clause: string; by: Actor; at: number; deck: number; defect: string };
    InspectionVerified: { seq: number; round: number; text: string; event: "InspectionVerified"; clause: string; by: Actor; at: number; deck: number };
    CardsSpread: { seq: number; round: number; text: string; event: "CardsSpread"; clause: string; by: Actor; at: number; deck: number };
    CardsWashed: { seq: number; round: number; text: string; event: "CardsWashed"; clause: string; by: Actor; at: number; deck: number };
    CardsShuffled: { seq: number; round: number; text: string; event: "CardsShuffled"; clause: string; by: Actor; at: number; deck: number; order?: number[]; source: string; by_device: boolean; device: string; count: number | null };
    ShuffleOrdered: { seq: number; round: number; text: string; event: "ShuffleOrdered"; clause: string; by: Actor; at: number; reason: string };
    DeckRemoved: { seq: number; round: number; text: string; event: "DeckRemoved"; clause: string; by: Actor; at: number; deck: number; reason: string };
    CardsCut: { seq: number; round: number; text: string; event: "CardsCut"; clause: string; by: Actor; at: number; deck: number; depth: number };
    RecutOrdered: { seq: number; round: number; text: string; event: "RecutOrdered"; clause: string; by: Actor; at: number; reason: string };
    CardsLoaded: { seq: number; round: number; text: string; event: "CardsLoaded"; clause: string; by: Actor; at: number; deck: number; method: string };
    CardsSpreadIdle: { seq: number; round: number; text: string; event: "CardsSpreadIdle"; clause: string; by: Actor; at: number; face_up: boolean };
    ProcedureAdopted: { seq: number; round: number; text: string; event: "ProcedureAdopted"; clause: string; by: Actor; at: number; procedure_version: number };
    TableClosed: { seq: number; round: number; text: string; event: "TableClosed"; clause: string; by: Actor; at: number };
    PatronSeated: { seq: number; round: number; text: string; event: "PatronSeated"; clause: string; by: Actor; at: number; patron: string; seats: number[] };
    PatronLeft: { seq: number; round: number; text: string; event: "PatronLeft"; clause: string; by: Actor; at: number; patron: string };
    PatronAbsent: { seq: number; round: number; text: string; event: "PatronAbsent"; clause: string; by: Actor; at: number; patron: string };
    LeavingAnnounced: { seq: number; round: number; text: string; event: "LeavingAnnounced"; clause: string; by: Actor; at: number; patron: string };
    PatronReady: { seq: number; round: number; text: string; event: "PatronReady"; clause: string; by: Actor; at: number; patron: string };
    AbsenceDecided: { seq: number; round: number; text: string; event: "AbsenceDecided"; clause: string; by: Actor; at: number; patron: string; abandoned: boolean; reason: string };
    ChipsBought: { seq: number; round: number; text: string; event: "ChipsBought"; clause: string; by: Actor; at: number; patron: string; amount: number };
    ChipsCashed: { seq: number; round: number; text: string; event: "ChipsCashed"; clause: string; by: Actor; at: number; patron: string; amount: number };
    WagerPlaced: { seq: number; round: number; text: string; event: "WagerPlaced"; clause: string; by: Actor; at: number; seat: number; wager: string; amount: number };
    BetsClosed: { seq: number; round: number; text: string; event: "BetsClosed"; clause: string; by: Actor; at: number; dealt: number[] };
    CardsRead: { seq: number; round: number; text: string; event: "CardsRead"; clause: string; by: Actor; at: number; deck: number; cards?: number[] };
    CardDealt: { seq: number; round: number; text: string; event: "CardDealt"; clause: string; by: Actor; at: number; card: string | null; place: string; seat: number; face_up: boolean };
    FaceUpCardDiscarded: { seq: number; round: number; text: string; event: "FaceUpCardDiscarded"; clause: string; by: Actor; at: number; card: string };
    DealCompleted: { seq: number; round: number; text: string; event: "DealCompleted"; clause: string; by: Actor; at: number; stub: number };
    StubRacked: { seq: number; round: number; text: string; event: "StubRacked"; clause: string; by: Actor; at: number };
    StubCounted: { seq: number; round: number; text: string; event: "StubCounted"; clause: string; by: Actor; at: number; stub: number; right: boolean; total: number | null; hands: { place: string; seat: number; cards: number }[] };
    WagerMade: { seq: number; round: number; text: string; event: "WagerMade"; clause: string; by: Actor; at: number; seat: number; wager: string; amount: number };
    WagerLetRide: { seq: number; round: number; text: string; event: "WagerLetRide"; clause: string; by: Actor; at: number; seat: number; wager: string };
    WagerPulledBack: { seq: number; round: number; text: string; event: "WagerPulledBack"; clause: string; by: Actor; at: number; seat: number; wager: string; amount: number };
    Folded: { seq: number; round: number; text: string; event: "Folded"; clause: string; by: Actor; at: number; seat: number; forfeits: string[] };
    ForfeitsCollected: { seq: number; round: number; text: string; event: "ForfeitsCollected"; clause: string; by: Actor; at: number; seats: number[]; kept: number[] };
    CardsRevealed: { seq: number; round: number; text: string; event: "CardsRevealed"; clause: string; by: Actor; at: number; place: string; count: number; seat: number; cards: (string | null)[] };
    HandTurnedUp: { seq: number; round: number; text: string; event: "HandTurnedUp"; clause: string; by: Actor; at: number; seat: number; cards: (string | null)[] };
    WagerSettled: { seq: number; round: number; text: string; event: "WagerSettled"; clause: string; by: Actor; at: number; seat: number; wager: string; staked: number; outcome: string; returned: number; paid: number; procedure: string; hand: string; row: string; pays: string; table: string; limited: boolean; meter: string; account: boolean; attended: boolean; holder: number };
    MetersFed: { seq: number; round: number; text: string; event: "MetersFed"; clause: string; by: Actor; at: number; amounts: [string, string][] };
    MeterChanged: { seq: number; round: number; text: string; event: "MeterChanged"; clause: string; by: Actor; at: number; meter: string; amount: string; cause: "won" | "reseeded by the house" | "reserve moved to the meter" | "house repaid from the reserve" | "overflow returned to the meter" | "contributions that waited for a pending win" | "contributions of a void round reversed" | "share of an abandoned wager returned" | "corrected by two people" | "set up by two people"; before: string; after: string; reason: string; approved_by: { name: string; role: "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator" | "system" } | null };
    MeterLocked: { seq: number; round: number; text: string; event: "MeterLocked"; clause: string; by: Actor; at: number; meter: string; seat: number };
    MeterReleased: { seq: number; round: number; text: string; event: "MeterReleased"; clause: string; by: Actor; at: number; meter: string; seat: number };
    MetersRead: { seq: number; round: number; text: string; event: "MetersRead"; clause: string; by: Actor; at: number; meters?: ({ plan: { name: string; table: string; tier: string; seed: string; reseed: string; rate: string; reserve: string; limit: string | null; largest: string | null }; amount: string; seeded: string; contributed: string; moved: string; adjusted: string; won: number; hits: number; overflow: string; waiting: string; paid_by_system: number; paid_by_attendant: number; claims: { table: string; round: number; seat: number }[] })[] };
    ProgressiveChipsCounted: { seq: number; round: number; text: string; event: "ProgressiveChipsCounted"; clause: string; by: Actor; at: number; counted: number; accepted: number };
    ChipCountResolved: { seq: number; round: number; text: string; event: "ChipCountResolved"; clause: string; by: Actor; at: number; accepted: number; reason: string };
    WinVerified: { seq: number; round: number; text: string; event: "WinVerified"; clause: string; by: Actor; at: number; seat: number; wager: string; row: string };
    LightVerified: { seq: number; round: number; text: string; event: "LightVerified"; clause: string; by: Actor; at: number; seat: number; wager: string; lit: boolean };
    WinValidated: { seq: number; round: number; text: string; event: "WinValidated"; clause: string; by: Actor; at: number; seat: number; wager: string; reason: string };
    DocumentsCompleted: { seq: number; round: number; text: string; event: "DocumentsCompleted"; clause: string; by: Actor; at: number; seat: number; patron: string; reference: string; amounts: [string, number][] };
    MysteryArmed: { seq: number; round: number; text: string; event: "MysteryArmed"; clause: string; by: Actor; at: number; commitment: string; trigger?: number; nonce?: string };
    MysteryHit: { seq: number; round: number; text: string; event: "MysteryHit"; clause: string; by: Actor; at: number; seat: number; patron: string; amount: number; commitment: string; trigger: number; nonce: string };
    DealCommitted: { seq: number; round: number; text: string; event: "DealCommitted"; clause: string; by: Actor; at: number; deal: number; commitment: string; server_seed?: string };
    DealContributed: { seq: number; round: number; text: string; event: "DealContributed"; clause: string; by: Actor; at: number; deal: number; patron: string };
    DealRevealed: { seq: number; round: number; text: string; event: "DealRevealed"; clause: string; by: Actor; at: number; deal: number; commitment: string; server_seed: string; contributions: [string, string][] };
    AccountFunded: { seq: number; round: number; text: string; event: "AccountFunded"; clause: string; by: Actor; at: number; patron: string; amount: number };
    BonusDrawn: { seq: number; round: number; text: string; event: "BonusDrawn"; clause: string; by: Actor; at: number; magic_card: string | null; lucky_position: number | null };
    JackpotDivided: { seq: number; round: number; text: string; event: "JackpotDivided"; clause: string; by: Actor; at: number; shares: [number, number][] };
    SeatSettled: { seq: number; round: number; text: string; event: "SeatSettled"; clause: string; by: Actor; at: number; seat: number };
    RoundCompleted: { seq: number; round: number; text: string; event: "RoundCompleted"; clause: string; by: Actor; at: number; rack?: ([string, number, (number | null)[]])[] };
    RoundVoided: { seq: number; round: number; text: string; event: "RoundVoided"; clause: string; by: Actor; at: number; cause: string; settles_optional: boolean; where: string };
    Noted: { seq: number; round: number; text: string; event: "Noted"; clause: string; by: Actor; at: number; what: string };
    ShufflerJammed: { seq: number; round: number; text: string; event: "ShufflerJammed"; clause: string; by: Actor; at: number };
    DeviceReported: { seq: number; round: number; text: string; event: "DeviceReported"; clause: string; by: Actor; at: number; device: string };
    DeviceTakenOut: { seq: number; round: number; text: string; event: "DeviceTakenOut"; clause: string; by: Actor; at: number; device: string; marked: string; method: string; shuffler: string };
    DeviceRestored: { seq: number; round: number; text: string; event: "DeviceRestored"; clause: string; by: Actor; at: number; method: string; shuffler: string };
    FloorDecided: { seq: number; round: number; text: string; event: "FloorDecided"; clause: string; by: Actor; at: number; outcome: string; reason: string };
    CardReplaced: { seq: number; round: number; text: string; event: "CardReplaced"; clause: string; by: Actor; at: number; place: string; seat: number; number: number; discarded: string; card: string | null };
    PaymentCorrected: { seq: number; round: number; text: string; event: "PaymentCorrected"; clause: string; by: Actor; at: number; seat: number; patron: string; wager: string; number: number; old_returned: number; old_paid: number; returned: number; paid: number; reason: string; account: boolean; approved_by: { name: string; role: "patron" | "dealer" | "floorperson" | "shift_manager" | "accounting" | "surveillance" | "regulator" | "administrator" | "system" } | null };
  }
  type TableEvent = Events[keyof Events];
  interface Gets {
    "/api/me": { parameters: {}; response: CurrentPersonResponse };
    "/api/people": { parameters: { guests?: boolean; after?: string; limit?: number }; response: AccountListResponse };
    "/api/people/requests": { parameters: {}; response: AccountRequestListResponse };
    "/api/tables": { parameters: {}; response: LobbyEntry[] };
    "/api/tables/{table}": { parameters: { table: string }; response: ServedTableView };
    "/api/tables/{table}/rules": { parameters: { table: string; edges?: boolean }; response: ServedTableRules };
    "/api/tables/{table}/guide": { parameters: { table: string }; response: GameGuide };
    "/api/tables/{table}/rounds": { parameters: { table: string; last?: number }; response: PastRound[] };
    "/api/tables/{table}/rounds/{number}": { parameters: { table: string; number: number }; response: RoundRecall };
    "/api/tables/{table}/rounds/{number}/verifiable": { parameters: { table: string; number: number }; response: Record<string, unknown> };
    "/api/tables/{table}/events": { parameters: { table: string; after?: number; newest?: boolean; since?: number; until?: number; kind?: string[] | null; seat?: number; round?: number; actor?: string; at_least_cents?: number; limit?: number }; response: TableEvents };
    "/api/tables/{table}/record": { parameters: { table: string }; response: unknown };
    "/api/tables/{table}/audit": { parameters: { table: string }; response: AuditReport };
    "/api/records/tables": { parameters: {}; response: HistoricTableEntry[] };
    "/api/records/events": { parameters: { since?: number; until?: number; kind?: string[] | null; seat?: number; round?: number; actor?: string; at_least_cents?: number; limit?: number }; response: AllTablesEvents };
    "/api/tables/{table}/advice": { parameters: { table: string }; response: AdviceView };
    "/api/drills/{kind}": { parameters: { kind: "read_hand" | "settle" | "irregularity" | "decide"; edition: string; number?: string }; response: HandDrill | SettlementDrill | IrregularityDrill | DecisionDrill };
    "/api/clauses/{edition}": { parameters: { edition: string; clause: string }; response: ClauseText };
    "/api/account": { parameters: {}; response: BalanceResponse };
    "/api/accounts/{name}": { parameters: { name: string }; response: BalanceResponse };
    "/api/requests": { parameters: { table?: string; mine?: boolean }; response: ApprovalResponse[] };
    "/api/journal": { parameters: { kind?: string[] | null; table?: string; actor?: string; patron?: string; since?: number; until?: number; last?: number }; response: JournalLine[] };
    "/api/days": { parameters: { at?: number }; response: DayReport };
    "/api/submissions": { parameters: {}; response: SubmissionResponse[] };
    "/api/submissions/{name}/{version}": { parameters: { name: string; version: number }; response: SubmissionTextResponse };
    "/api/links/{name}": { parameters: { name: string }; response: LinkResponse };
    "/api/floor": { parameters: {}; response: FloorView };
    "/api/tables/{table}/rounds/{number}/steps": { parameters: { table: string; number: number }; response: RoundReplay };
    "/api/editions/{name}/form": { parameters: { name: string }; response: SubmissionForm };
    "/api/holds": { parameters: { since?: number; until?: number }; response: HoldRow[] };
    "/api/people/acts": { parameters: { last?: number }; response: JournalLine[] };
    "/api/meters": { parameters: {}; response: MeterRow[] };
    "/api/program": { parameters: {}; response: Record<string, unknown> };
    "/api/editions": { parameters: {}; response: EditionEntry[] };
    "/api/schemas/{name}": { parameters: { name: "events" | "record" | "scenario" | "submission" }; response: Record<string, unknown> };
    "/api/settings": { parameters: {}; response: Record<string, unknown> };
  }
  interface Posts {
    "/api/sign-in": { parameters: {}; response: SessionResponse; body: SignInRequest };
    "/api/guests": { parameters: {}; response: SessionResponse; body: GuestRequest };
    "/api/join": { parameters: {}; response: SessionResponse; body: JoinRequest };
    "/api/register": { parameters: {}; response: SessionResponse; body: RegistrationRequest };
    "/api/sign-out": { parameters: {}; response: DoneResponse; body: {} };
    "/api/password": { parameters: {}; response: DoneResponse; body: PasswordChangeRequest };
    "/api/second-factor": { parameters: {}; response: SecondFactorResponse; body: SecondFactorRequest };
    "/api/second-factor/confirm": { parameters: {}; response: DoneResponse; body: OneTimeCodeRequest };
    "/api/people": { parameters: {}; response: PersonResponse; body: NewPersonRequest };
    "/api/people/invitations": { parameters: {}; response: AccountRequestResponse; body: InvitationRequest };
    "/api/people/{name}/role": { parameters: { name: string }; response: AccountRequestResponse; body: RoleChangeRequest };
    "/api/people/{name}/link": { parameters: { name: string }; response: AccountRequestResponse; body: ActRequest | null };
    "/api/people/{name}/second-factor/reset": { parameters: { name: string }; response: AccountRequestResponse; body: ActRequest | null };
    "/api/people/{name}/lock": { parameters: { name: string }; response: AccountRequestResponse; body: ActRequest | null };
    "/api/people/{name}/unlock": { parameters: { name: string }; response: AccountRequestResponse; body: ActRequest | null };
    "/api/people/{name}/deactivate": { parameters: { name: string }; response: AccountRequestResponse; body: ActRequest | null };
    "/api/people/{name}/reactivate": { parameters: { name: string }; response: AccountRequestResponse; body: ActRequest | null };
    "/api/people/{name}/sessions/close": { parameters: { name: string }; response: AccountRequestResponse; body: ActRequest | null };
    "/api/people/requests/{identifier}/approve": { parameters: { identifier: string }; response: AccountRequestResponse; body: {} };
    "/api/people/requests/{identifier}/refuse": { parameters: { identifier: string }; response: AccountRequestResponse; body: {} };
    "/api/tables": { parameters: {}; response: OpenedTableResponse; body: OpenTableRequest };
    "/api/tables/{table}/sit": { parameters: { table: string }; response: PatronActionResponse; body: SitRequest };
    "/api/tables/{table}/chips": { parameters: { table: string }; response: PatronActionResponse; body: ChipsRequest };
    "/api/drills/{kind}": { parameters: { kind: "read_hand" | "settle" | "irregularity" | "decide" }; response: HandMarks | SettlementMarks | IrregularityMarks | DecisionMarks; body: DrillAnswerRequest };
    "/api/requests": { parameters: {}; response: ApprovalResponse; body: NewApprovalRequest };
    "/api/requests/{identifier}/approve": { parameters: { identifier: string }; response: ApprovalResponse; body: {} };
    "/api/requests/{identifier}/refuse": { parameters: { identifier: string }; response: ApprovalResponse; body: {} };
    "/api/submissions": { parameters: {}; response: SubmissionResponse; body: FileSubmissionRequest };
    "/api/submissions/check": { parameters: {}; response: SubmissionCheckResponse; body: SubmissionTextRequest };
    "/api/submissions/edit": { parameters: {}; response: EditedSubmissionResponse; body: EditSubmissionRequest };
    "/api/submissions/{name}/{version}/approve": { parameters: { name: string; version: number }; response: SubmissionResponse; body: {} };
    "/api/links": { parameters: {}; response: NewLinkResponse; body: NewLinkRequest };
    "/api/tables/{table}/retire": { parameters: { table: string }; response: RetiredTableResponse; body: {} };
    "/api/submissions/edges": { parameters: {}; response: SubmissionEdges; body: SubmissionTextRequest };
    "/api/tables/{table}/commands": { parameters: { table: string }; response: CommandAnswer; body: Command };
    "/api/tables/{table}/ready": { parameters: { table: string }; response: Ready; body: {} };
  }
}
