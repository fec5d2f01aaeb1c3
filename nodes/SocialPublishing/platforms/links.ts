import { parseUrl } from '../../shared/url';

/**
 * The top-level domains with which X takes a bare `example.com` for a link: those of countries, and
 * the common ones of the others. After `https://` any is taken.
 */
const TOP_LEVEL = [
  // Countries
  'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt',
  'bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er',
  'es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr',
  'ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk',
  'lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf',
  'ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc',
  'sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv',
  'tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw',
  // Others
  'com net org edu gov mil int info biz name pro mobi jobs travel museum aero coop asia cat tel post',
  'academy agency app art audio bar beer berlin best bike bio black blog blue boutique build business',
  'buzz cafe camera camp capital care cars casa cash center chat cheap church city clinic clothing',
  'cloud club coach codes coffee community company computer consulting cool country dance data date',
  'deals delivery design dev digital direct directory dog domains download earth eco education email',
  'energy engineering events exchange expert express family fans farm fashion finance fish fit fitness',
  'flowers football forsale fun fund furniture gallery game games garden gift global gold golf google',
  'graphics green group guide guru health help holiday homes horse hospital host hosting house how ink',
  'institute insure international land lawyer legal life limited link live loan lol london love ltd',
  'luxury management market marketing media memorial menu moda money movie nagoya network new news',
  'ngo ninja nyc one online ooo page paris partners parts party pet pets photo photography photos',
  'pics pictures pizza place plus poker press productions properties pub racing radio red rentals',
  'repair report rest restaurant review reviews rip rocks run sale salon school science services shoes',
  'shop shopping show site ski social software solar solutions space store stream studio style supply',
  'support surf systems tax taxi team tech technology tennis tips tires today tokyo tools top tours',
  'town toys trade training tube university vegas ventures vet video villas vip vision vote wedding',
  'wiki win wine work works world wtf xyz yoga zone',
]
  .join(' ')
  .replaceAll(' ', '|');

/** Top-level domains in other scripts. Of scripts without spaces, they are listed one by one. */
const NATIVE = String.raw`\p{Script=Arabic}{2,}|\p{Script=Cyrillic}{2,}|[\p{Script=Devanagari}]{2,}|中国|中國|台湾|台灣|香港|新加坡|한국|ไทย`;

const SPACES_AND_SIGNS = String.raw`\s\p{C}\u2000-\u206F!-/:-@\[-\x60{-~`;
const DOMAIN = `[^${SPACES_AND_SIGNS}]`;
const SUBDOMAIN = String.raw`(?:(?:${DOMAIN}(?:[_-]|${DOMAIN})*)?${DOMAIN}\.)`;
const NAME = String.raw`(?:(?:${DOMAIN}(?:-|${DOMAIN})*)?${DOMAIN}\.)`;
const ANY_TOP_LEVEL = String.raw`(?:xn--[-0-9a-z]+|[a-z]{2,24}|${NATIVE})(?![0-9a-z@+-])`;
const ASCII_NAME = String.raw`(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)`;
const KNOWN_TOP_LEVEL = String.raw`(?:xn--[-0-9a-z]+|${TOP_LEVEL})(?![0-9a-z@+-])`;

const LETTERS = String.raw`a-z0-9\u00C0-\u024F\u0400-\u04FF`;
const IN_PATH = String.raw`[${LETTERS}!*';:=+,.$/%#\[\]\-\u2013_~@|&]`;
const AT_END_OF_PATH = String.raw`[${LETTERS}+\-=_#/]`;
const IN_BRACKETS = String.raw`\((?:${IN_PATH}|\(${IN_PATH}+\))+\)`;
const PATH = String.raw`/(?:(?:${IN_PATH}|${IN_BRACKETS})*(?:${AT_END_OF_PATH}|${IN_BRACKETS}))?`;
const QUERY = String.raw`(?:\?[a-z0-9!?*'@();:&=+$/%#\[\]\-_.,~|]*[a-z0-9\-_&=#/])?`;

const NOT_BEFORE = String.raw`(?<![a-z0-9@＠$#＃])`;
const WITH_PROTOCOL = String.raw`https?://(?<host>${SUBDOMAIN}*${NAME}${ANY_TOP_LEVEL})`;
const BARE = String.raw`(?<![-_./])(?<bare>${ASCII_NAME}+${KNOWN_TOP_LEVEL})`;
const PORT = '(?::[0-9]+)?';
// Without a protocol, a link goes on after its host only if it has a path.
const LINK = new RegExp(
  `${NOT_BEFORE}(?:${WITH_PROTOCOL}${PORT}(?:${PATH})?${QUERY}|${BARE}(?:${PORT}${PATH}${QUERY})?)`,
  'giu',
);

const LONGEST_LABEL = 63;
const LONGEST_LINK = 4096;

/** Whether each part of a host is short enough for the domain name system. */
const isHost = (host: string): boolean =>
  (parseUrl(`http://${host}`)?.hostname ?? '')
    .split('.')
    .every(({ length }) => length > 0 && length <= LONGEST_LABEL);

/** A text in the order that it is read: what is a link, and what lies between. */
interface Piece {
  readonly text: string;
  readonly link?: 'bare' | 'withProtocol';
}

/** Splits a text into links, as X finds them, and what stands between them. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const add = (piece: Piece): void => {
    if (piece.text !== '') pieces.push(piece);
  };
  for (const match of text.matchAll(LINK)) {
    const { host, bare = '' } = match.groups ?? {};
    const [link] = match;
    if (link.length > LONGEST_LINK || !isHost(host ?? bare)) continue;
    add({ text: text.slice(end, match.index) });
    add({ text: link, link: host === undefined ? 'bare' : 'withProtocol' });
    end = match.index + link.length;
  }
  add({ text: text.slice(end) });
  return pieces;
}
