"""Every number of the protocols and of our own safety, once. Units stand last in a name."""

# --- robots.txt (RFC 9309 and Google's reference) ---------------------------------------------------------------
ROBOTS_BYTES_DEFAULT = 512_000
"""What a crawler reads of a robots.txt: 500 KiB."""
ROBOTS_LINE_BYTES_MAX = 16_663
"""Where Google's reader cuts a line: 2,083 × 8 - 1."""
ROBOTS_LINEAR_QUESTIONS = 3
"""Questions answered by looking at every rule before the rules are compiled."""
ROBOTS_LINEAR_RULES_MIN = 50
"""Fewer rules than this are compiled at once."""
ROBOTS_WILD_INDEX_MIN = 25
"""Wildcard rules with the same literal head that are worth an index."""
ROBOTS_NEAR_RULES_MAX = 1_000
"""Rules that are looked at for a near miss."""
ROBOTS_DEAD_RULES_MAX = 200
"""Rules that can never decide that are found in one crawler's groups."""
ROBOTS_GUESSES_MAX = 200
"""Unknown keys of one file for which the key that was meant is guessed."""
ROBOTS_PROBES_MAX = 20_000
"""Questions that are made up for two documents when nobody says which to ask."""
ROBOTS_COMPARED_MAX = 200_000
"""Rules of two documents that are compared, each as often as an agent is bound by it."""
ROBOTS_TRIES_MAX = 10_000_000
"""Patterns with stars that may be tried for many questions together: some seconds of work."""
ROBOTS_CACHE_S_MAX = 86_400
"""How long a copy may be used: 24 hours (RFC 9309 section 2.4)."""
ROBOTS_OUTAGE_S_MAX = 30 * 86_400
"""How long an unreachable robots.txt closes a site: 30 days (RFC 9309 section 2.3.1.4)."""
ROBOTS_OUTAGE_GOOGLE_STOP_S = 12 * 3_600
"""How long Google stops before it uses the last copy: 12 hours."""
ROBOTS_RETRY_S = 3_600
"""When an unreachable robots.txt is tried again."""
ROBOTS_AGENTS_KEPT = 256
"""Crawlers whose rules a `Robots` remembers."""

# --- sitemaps (sitemaps.org) ------------------------------------------------------------------------------------
SITEMAP_URLS_MAX = 50_000
"""Entries in one sitemap, or children in one index."""
SITEMAP_BYTES_MAX = 52_428_800
"""Bytes of one sitemap after everything is unpacked: 50 MB as the protocol counts them."""
LOC_CHARS_MAX = 2_048
"""A `loc` must be shorter than this."""

# --- reading hostile documents ----------------------------------------------------------------------------------
FEED_PIECE_BYTES = 1_048_576
"""How much expat is given at a time: smaller pieces make old versions scan a long token again and again."""
XML_DEPTH_MAX = 256
"""Elements open inside each other."""
XML_OPEN_MAX = 500_000
"""Elements open inside each other at which reading ends: expat needs some 120 bytes for each."""
XML_NAMES_MAX = 500_000
"""Distinct names at which reading ends: expat keeps them all, some 200 bytes each."""
VALUE_CHARS_MAX = 8_192
"""Characters kept of one value."""
NAMES_MAX = 1_000
"""Distinct element and attribute names; past it extension records are no longer kept."""
ENTRIES_KEPT_MAX = 500_000
"""Entries of one sitemap that are kept, ten times what is allowed; all are counted."""
RECORDS_KEPT_MAX = 300_000
"""Extension records and their parts that are kept of one sitemap."""
PROLOG_BYTES_MAX = 65_536
"""How far a DOCTYPE is looked for."""
NOTES_KEPT_PER_KIND = 1_000
"""Notes of one kind that are kept; all of them are counted."""
NOTE_CHARS_MAX = 200
"""Characters a note quotes of a value."""
HOST_BYTES_MAX = 255
"""Bytes of a Host header."""
JSON_NUMBER_MAX = 2**53
"""The largest number that is believed of a saved file: whole numbers up to it are the same to every reader of JSON."""

# --- asking other people's servers (spec/safety.md section 1) ---------------------------------------------------
REDIRECTS_MAX = 5
"""Redirects followed; the sixth is an error."""
LOCATION_BYTES_MAX = 2_048
"""How long a redirect's Location may be."""
REFUSAL_BYTES_MAX = 262_144
"""How much is read of the body of an answer that is no success: enough to show what it was."""
INTERIM_ANSWERS_MAX = 64
"""Answers of the 1xx kind before the one that counts."""
HEADER_LINE_BYTES_MAX = 32_768
"""One header line of an answer."""
ADDRESSES_MAX = 8
"""Addresses of one name that are tried."""
DNS_THREADS_MAX = 64
"""Names resolved at once."""
DNS_KEPT_S = 60
"""How long an answer of the name servers is believed."""
DNS_MISS_KEPT_S = 5
"""How long a name that did not resolve is not asked again."""
DNS_KEPT_MAX = 4_096
"""Names remembered."""
READING_S_MAX = 20.0
"""Seconds one scan may spend on reading documents, when it is lent a clock."""
PACKED_PIECE_BYTES = 2_048
"""How much of a gzip file is opened at a time: it may unpack to a thousand times as much."""
SERVICES_MAX = 10_000
"""Services of one site that are listed."""
HOME_BYTES_MAX = 2 * 1_048_576
"""What is read of a page, the home page among them."""
SITE_REQUESTS_MAX = 16
"""Requests one check of a site may make, redirects included; `--deep` and `--probe` add their own."""
NEIGHBOUR_BYTES_MAX = 8 * 1_048_576
"""What is read of a feed, a list of feeds or a robots.xml."""
CHILDREN_ASKED_MAX = 10
"""Sitemaps of an index that `--deep` reads: a seeded sample."""
PROBE_BATCH = 20
"""Listed pages that `--probe` asks for at once."""
PROBED_BYTES_MAX = 262_144
"""What is read of a listed page."""
CAPTURES_MAX = 100_000
"""Captures in one saved folder."""
CAPTURE_HEAD_BYTES_MAX = 16 * 1_048_576
"""The index of a folder of captures, or one capture without its body."""
CODING_OVERHEAD_BYTES = 65_536
"""How much longer than its content a compressed answer may be on the wire."""
BODY_MEMORY_BYTES_MAX = 8 * 1_048_576
"""A body longer than this stands on disk while it is looked at."""

# --- publishing -------------------------------------------------------------------------------------------------
ORIGIN_CHARS_MAX = 263
"""The longest origin sizes are counted with, so that how a sitemap is split does not depend on the host."""
ALIAS_CHARS_MAX = 1_700
"""The longest alias, percent-encoded: with any origin before it a URL stays under LOC_CHARS_MAX."""
SPLIT_AT_DEFAULT = 50_000
"""Pages from which on a sitemap is split."""
PART_SIZE_DEFAULT = 10_000
"""Pages the fullest part of a split sitemap is meant to hold."""
DATE_EARLIEST_S = -62_135_596_800
"""The first moment of the year 1, the earliest date that can be written."""
DATE_LATEST_S = 253_402_300_799
"""The last second of the year 9999, the latest one."""
LASTMOD_EARLIEST_S = 788_918_400
"""1 January 1995: a modification time before it is no date of a web page."""
STREAM_ABOVE_BYTES = 1_048_576
"""A body longer than this is sent in pieces."""
STREAM_PIECE_BYTES = 131_072
"""About how long such a piece is: a server holds some six of them for a reader who stopped reading."""
STREAM_CROWD_PIECE_BYTES = 24_576
"""About how long it is while many long bodies are on their way."""
STREAM_CROWD_FROM = 8
"""So many long bodies on their way from one process are many."""
COMPRESS_FROM_BYTES = 1_024
"""A shorter body is not worth compressing."""
FEED_FOLDERS_MAX = 500
"""Top folders whose feeds are listed in OPML and robots.xml."""
LLMS_PAGES_MAX = 2_000
"""Pages that llms.txt lists; it leads to the sitemap for the others."""
INDEXNOW_URLS_MAX = 10_000
"""URLs that IndexNow takes in one call."""
INDEXNOW_TRIES_MAX = 4
"""How often one call is made while the endpoint asks to wait or is out of order."""
INDEXNOW_WAIT_S_MAX = 60.0
"""The longest wait between two tries; whoever asks for more is left alone until the next run."""
INDEXNOW_ANSWER_BYTES_MAX = 65_536
"""What is read of the endpoint's answer."""
INDEXNOW_LEDGER_BYTES_MAX = 536_870_912
"""How large the file may be that remembers what was told."""
FEED_TEXT_CHARS_MAX = 1_048_576
"""Characters of Markdown that one feed shows as content; entries past them have a summary at most."""

# --- answering strangers (spec/safety.md section 3) -------------------------------------------------------------
TARGET_BYTES_MAX = 4_096
"""A longer path and query is 414."""
HEADERS_BYTES_MAX = 32_768
"""More header bytes are 431."""
HEADERS_MAX = 100
"""More header lines are 431."""
FORWARDED_HOPS_MAX = 32
"""Entries of a forwarded header that are looked at, from the right."""
LOOP_COMPRESS_BYTES_MAX = 262_144
"""A longer body is compressed away from the event loop."""
LOOP_RENDER_CHARS_MAX = 65_536
"""Longer Markdown is rendered away from the event loop."""
LISTED_PAGES_MAX = 1_000
"""Pages on the generated home page of a bare folder."""
CONNECTIONS_MAX = 20_000
"""Connections a worker keeps open at once: slow strangers must not fill what others need."""
HEAD_TIMEOUT_S = 8
"""How long a request may take to say what it wants."""
REQUEST_HEAD_BYTES = 65_536
"""The server's room for the head of a request."""
SWITCH_INTERVAL_S = 0.0005
"""How long a worker's threads wait for each other, and so a request that comes while many bodies are made."""
STOP_TIMEOUT_S = 8
"""How long answers under way may take once the server is told to stop."""

# --- formatting Markdown ----------------------------------------------------------------------------------------
MARKDOWN_CHARS_MAX = 1_000_000
"""A longer text is shown as text, not formatted."""
MARKDOWN_MARKS_MAX = 100_000
"""So is one with more marks (brackets, stars, line ends …): each may cost half a kilobyte."""
HTML_CHARS_MAX = 4_000_000
"""So is one that would become longer than this: a footnote may be referred to very often."""
HTML_NESTING_MAX = 500
"""Elements inside each other: deeper, browsers give up and sanitisers turn quadratic."""
CODE_CHARS_MAX = 20_000
"""A longer block of code gets no colours."""
CODE_CHARS_PER_PAGE_MAX = 100_000
"""Nor does what follows so much code on one page."""

# --- feeds and their neighbours ---------------------------------------------------------------------------------
TREE_PIECES_MAX = 50_000
"""Elements and texts kept of one entry of a feed, or of one child of another XML list."""
TREE_ELEMENTS_MAX = 1_000_000
"""Elements of a feed, an OPML list or a robots.xml at which reading ends: some seconds of work."""
FEED_VALUE_CHARS_MAX = 1_048_576
"""Characters kept of one text of a feed: whole articles stand in one."""
FEED_CONTENT_CHARS_MAX = 16 * 1_048_576
"""Characters of content kept of all entries of a feed together."""
ENTRY_PARTS_MAX = 100
"""Links, authors, categories or enclosures kept of one entry, and repeated notes on its content."""
FEED_PARTS_MAX = 200_000
"""Links, authors, categories and enclosures kept of all entries of a feed together, or attributes of all outlines."""
JSON_VALUES_MAX = 1_000_000
"""Commas and brackets in a JSON document: more would fill memory many times over."""
TAG_CHARS_MAX = 8_192
"""How long a tag in HTML may be and still be looked at."""
OUTLINES_MAX = 50_000
"""Outlines kept of one OPML document."""
OUTLINE_DEPTH_MAX = 100
"""Outlines inside each other, read and written: values as deep as that can still be compared, shown and pickled."""

# --- the disk side ----------------------------------------------------------------------------------------------
WATCH_READ_BYTES = 262_144
"""How much of the kernel's queue of changes is taken at a time."""
FEED_EVENTS_MAX = 100_000
"""Events kept for a root that nobody asks for; more are as good as lost, and the root is read anew."""
SIDECAR_BYTES_MAX = 1_048_576
"""A sidecar, a front matter, or a table of tags; longer ones withhold."""
SIDECAR_DEPTH_MAX = 64
"""Values nested inside each other in a sidecar."""
TOML_KEY_PARTS_MAX = 16
"""Parts of a dotted key; what reading one costs grows with their square."""
YAML_ALIASES_MAX = 16
"""References inside one YAML document: a few are convenient, many are a bomb."""
PAGE_BYTES_DEFAULT = 10_485_760
"""A longer Markdown file is withheld, unless the settings say otherwise."""
PLAIN_PAGE_BYTES_MAX = 1_048_576
"""A longer Markdown file is not read in the quick loop of a first scan."""
CLOCK_BACK_S = 2.0
"""A clock put back by more than this has what is known judged by it anew."""
TITLE_SEARCH_BYTES = 65_536
"""How far into a Markdown file its first heading is looked for."""
FILE_NAME_BYTES_MAX = 240
"""A name we give to a file: file systems take 255 bytes, and a sidecar's is longer than its blob's."""
FOLDER_DEPTH_MAX = 64
"""Folders below each other in `content/`."""
STAT_OBJECTS_MAX = 5_000
"""Up to so many objects every file is asked for its times at each request where the kernel cannot tell of changes."""
RACY_WINDOW_NS = 20_000_000
"""A directory listed so soon after its time is listed once more: another change may carry the same time."""
CONFIG_BYTES_MAX = 1_048_576
"""A `waypost.toml`, a `sites.toml`, a table of tags."""
ACCESS_LINE_CHARS_MAX = 1_000
"""Characters of one line of the access log: paths come from strangers."""
SAID_CHARS_MAX = 600
"""Characters of one sentence in the log: names of files come from strangers."""
TRANSLATIONS_MAX = 200
"""Pages that are translations of each other; where there are more, none is called one."""
GIT_SECONDS_MAX = 30
"""How long one `git log` may take."""
GIT_BYTES_MAX = 268_435_456
"""How long its answer may be."""
GIT_FILE_BYTES_MAX = 4_200
"""How long a `.git` may be that is a file: a path, and what stands before it."""
UNDO_KEPT_MAX = 1_000
"""Changes by command that can be taken back; the oldest are forgotten."""
IMPORT_FILES_MAX = 200_000
"""Files of a folder that is imported."""
IMPORT_PAGE_BYTES_MAX = 1_000_000
"""A longer text is not imported: it would not be formatted either."""
IMPORT_BYTES_MAX = 17_179_869_184
"""Bytes of all files that one import copies."""
IMPORT_REMARKS_MAX = 5_000
"""Remarks of one import that are kept; the others are counted."""
IMPORT_NAV_MAX = 20_000
"""Lines of a table of contents that are looked at."""
IMPORT_LIST_MAX = 200
"""Pages that a list made for a section shows."""
LETTERS_NAMES_MAX = 5_000
"""Names of one folder among which a link's target is looked for in other letters."""
LINKING_BYTES_MAX = 67_108_864
"""Bytes of pages that are read to say which of them link to one."""
SYNC_ROUNDS_MAX = 8
"""How often the queue of changes is asked again before an answer, while others go on changing files."""
SYNC_LOOKS_QUICK = 200
"""Files that are looked at while an event loop waits; more are looked at in a thread."""
REJUDGE_QUICK = 2_000
"""Objects that are judged anew, after a change of settings, while an event loop waits."""
LASTING_MIN = 10_000
"""Objects made by one scan that are worth being left out of every later collection of garbage."""
TENANTS_OPEN_MAX = 500
"""Tenants of one process that are kept in memory; the one asked for longest ago is let go."""
TENANT_WATCHES_SHARE = 8
"""A process takes at most this part of the directories a user may watch: other workers and programs need some too."""

# --- pages for people -------------------------------------------------------------------------------------------
NAV_ITEMS_MAX = 100
"""Lines of one level of the navigation."""
NAV_NEAR_MAX = 20
"""Lines of a level that has more: those around the page that is shown."""
NAV_FOLDER_MAX = 1_000
"""Pages of a folder that are asked whether they stand in it; one with more always has its line."""
NAV_SKIPPED_MAX = 500
"""Pages in a row that one level of the navigation passes over because they stand below another page."""
NAV_DEPTH_MAX = 8
"""Levels of the navigation, and of the way up from a page."""
SEARCH_RESULTS_MAX = 50
"""Pages a search shows."""
SEARCH_FILES_MAX = 2_000
"""Pages whose text a search reads; the others are found by title and description."""
SEARCH_BYTES_MAX = 16_777_216
"""Bytes of text that one search reads, and of those it reads again for excerpts."""
EXCERPT_CHARS_MAX = 180
"""Characters that a search shows of a page's text."""
SEARCH_WORDS_MAX = 8
"""Words of a query that count."""
SUGGESTIONS_MAX = 5
"""Pages that the answer to an unknown path suggests."""
SUGGESTION_CANDIDATES_MAX = 60
"""Pages that are compared with an unknown path."""
THEME_ASSET_BYTES_MAX = 1_048_576
"""Bytes of a template, a style sheet or an icon that a root brings itself."""
THEME_SECONDS_MAX = 2.0
"""Seconds that a root's own template may take for one page."""
THEME_PAGE_CHARS_MAX = 16_777_216
"""Characters that a root's own template may write for one page."""
THEMES_OPEN_MAX = 64
"""Roots whose own templates are kept compiled."""

# --- the doctor -------------------------------------------------------------------------------------------------
DOCTOR_AT_ONCE = 6
"""Questions a doctor asks one server at once."""
DOCTOR_PAGES_DEFAULT = 20
"""Listed pages whose answers a doctor compares with a server's."""
DOCTOR_SECONDS_MAX = 600.0
"""How long a doctor may ask one server."""
HELPERS_MAX = 3
"""Processes that help with the first scan of a big root."""
HELPER_SECONDS_MAX = 300
"""How long one of them may take."""
SHARDS_BIG_BYTES = 3_145_728
"""Bytes of the directories themselves from which on a root is big: some 40,000 id objects."""
