import { folded } from '../values';

/** The words of dates in English, German, French, Spanish, Portuguese and Italian, without accents. */

const MONTHS = [
  'jan january januar janner janv janvier ene enero janeiro gen gennaio',
  'feb february februar fev fevr fevrier febrero fevereiro febbraio',
  'mar march marz mrz mars marzo marco',
  'apr april avr avril abr abril aprile',
  'may mai mayo maio mag maggio',
  'jun june juni juin junio junho giu giugno',
  'jul july juli juil juillet julio julho lug luglio',
  'aug august aout ago agosto',
  'sep sept september septembre septiembre set sett setiembre setembro settembre',
  'oct october okt oktober octobre octubre out outubro ott ottobre',
  'nov november novembre noviembre novembro',
  'dec december dez dezember decembre dic diciembre dezembro dicembre',
];

const WEEKDAYS = [
  'mon monday mo montag lun lundi lunes lunedi seg segunda',
  'tue tues tuesday di dienstag mardi martes martedi ter terca',
  'wed wednesday mi mittwoch mer mercredi mie miercoles mercoledi qua quarta',
  'thu thur thurs thursday do donnerstag jeu jeudi jue jueves gio giovedi qui quinta',
  'fri friday fr freitag ven vendredi vie viernes venerdi sex sexta',
  'sat saturday sa samstag sonnabend sam samedi sab sabado sabato',
  'sun sunday so sonntag dim dimanche dom domingo domenica',
];

/** What else may stand in a date, by its sign; a blank where it means nothing. */
const OTHERS: Readonly<Record<string, string>> = {
  N: 'noon midday mittag midi mediodia mezzogiorno',
  K: 'midnight mitternacht minuit medianoche mezzanotte',
  H: "h hr hrs uhr o'clock heure heures hora horas",
  P: 'a p am pm',
  O: 'st nd rd th er o',
  T: 't',
  Z: 'z utc gmt',
  '~': '~ to til till until through bis',
  ' ': `at um on of de the del den dem le el il alle ore las al as à ala alas @ ( ) [ ] ' "`,
  ...Object.fromEntries([...'-/.:+,'].map((sign) => [sign, sign])),
};

interface Word {
  readonly sign: string;
  /** The number of a month, or of a day of the week from Monday. */
  readonly number: number;
}

const WORDS = new Map<string, Word>([[' ', { sign: ' ', number: 0 }]]);

const learn = (sign: string, lists: readonly string[]): void =>
  lists.forEach((list, index) =>
    list.split(' ').forEach((word) => WORDS.set(word, { sign, number: index + 1 })),
  );

Object.entries(OTHERS).forEach(([sign, list]) => learn(sign, [list]));
learn('D', WEEKDAYS);
learn('M', MONTHS);

/** Letters that name a zone: `EST`, `est`. */
const ZONE_LETTERS = /^(?:[A-Z]{1,5}|[a-z]{2,3}t)$/;

/** The sign of a word: `M` a month, `D` a day of the week, `A` letters of a zone, `X` another. */
export function wordOf(text: string): Word {
  const word = text.replace(/(?<=\p{L})[. ]+|-feira$/gu, '');
  const known = WORDS.get(word.toLowerCase()) ?? WORDS.get(folded(word));
  return known ?? { sign: ZONE_LETTERS.test(word) ? 'A' : 'X', number: 0 };
}
