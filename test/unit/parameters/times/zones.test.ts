import { IANAZone } from 'luxon';

import {
  workflowZoneLabel,
  zoneList,
} from '../../../../nodes/SocialPublishing/parameters/times/zoneList';
import { readZone, zoneOf } from '../../../../nodes/SocialPublishing/parameters/times/zones';

describe('a time zone', () => {
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Japan', 'Japan'],
    ['UTC', 'UTC'],
    ['utc', 'UTC'],
    ['GMT', 'UTC'],
    ['Etc/UTC', 'Etc/UTC'],
    ['UTC+5:30', 'UTC+5:30'],
  ])('by the name %s', (name, expected) => {
    expect(zoneOf(name)?.name).toBe(expected);
  });

  test.each([
    'EST',
    'BST',
    'CET',
    'PST',
    'IST',
    'MST',
    'NZ',
    'Mars/Olympus',
    'local',
    'system',
    '',
    '5',
  ])('not by %j', (name) => {
    expect(zoneOf(name)).toBeUndefined();
  });

  test('that is none is told from an abbreviation', () => {
    expect(readZone('BST', 'UTC')).toMatchObject({ code: 'ambiguousZone' });
    expect(readZone('Mars/Olympus', 'UTC')).toMatchObject({ code: 'noSuchZone' });
  });
});

describe('the zone of a field', () => {
  test.each([
    ['', 'Asia/Tokyo'],
    [undefined, 'Asia/Tokyo'],
    [' ', 'Asia/Tokyo'],
    ['Europe/Berlin', 'Europe/Berlin'],
    [' Europe/Berlin ', 'Europe/Berlin'],
    ['New York', 'America/New_York'],
    ['los angeles', 'America/Los_Angeles'],
    ['San Francisco', 'America/Los_Angeles'],
    ['kolkata', 'Asia/Calcutta'],
    ['são paulo', 'America/Sao_Paulo'],
    ['Sao Paulo', 'America/Sao_Paulo'],
    ['Germany', 'Europe/Berlin'],
    ['india', 'Asia/Calcutta'],
    [IANAZone.create('Europe/Paris'), 'Europe/Paris'],
  ])('%p', (value, name) => {
    expect(readZone(value, 'Asia/Tokyo')).toMatchObject({ value: { name } });
  });

  test.each([
    [['Europe/Berlin'], 'noSuchZone'],
    [2, 'noSuchZone'],
    [true, 'noSuchZone'],
    [{}, 'noSuchZone'],
    ['EST', 'ambiguousZone'],
    ['Atlantis', 'noSuchZone'],
    ['system', 'noSuchZone'],
  ])('not %p', (value, code) => {
    expect(readZone(value, 'Asia/Tokyo')).toMatchObject({ code });
  });
});

describe('the list of zones', () => {
  const winter = Date.UTC(2026, 0, 15);

  /** What n8n shows of the list for what is typed: it looks for one text in the labels. */
  const found = (typed: string): string[] =>
    zoneList(winter)
      .filter(({ label }) => label.toLowerCase().includes(typed))
      .map(({ name }) => name);

  test.each([
    ['new york', 'America/New_York'],
    ['los angeles', 'America/Los_Angeles'],
    ['eastern', 'America/New_York'],
    ['pacific time', 'America/Los_Angeles'],
    ['germany', 'Europe/Berlin'],
    ['united kingdom', 'Europe/London'],
    ['san francisco', 'America/Los_Angeles'],
    ['america/new', 'America/New_York'],
    ['calcutta', 'Asia/Calcutta'],
    ['kolkata', 'Asia/Calcutta'],
    ['kyiv', 'Europe/Kiev'],
    ['utc', 'UTC'],
  ])('has for %j first %s', (typed, zone) => {
    expect(found(typed)[0]).toBe(zone);
  });

  test.each([
    ['india', 'Asia/Calcutta'],
    ['china', 'Asia/Shanghai'],
    ['spain', 'Europe/Madrid'],
  ])('has for the country %j also %s', (typed, zone) => {
    expect(found(typed)).toContain(zone);
  });

  test.each([
    [
      'America/New_York',
      /^New York – Eastern Time, UTC-05:00\/-04:00 \(America\/New_York; Boston, /,
    ],
    ['Asia/Tokyo', /^Tokyo – Japan Standard Time, UTC\+09:00 \(/],
    ['Europe/London', / UTC\+00:00\/\+01:00 \(/],
    ['Atlantic/Reykjavik', / UTC\+00:00 \(/],
  ])('says each offset of the year of %s', (zone, label) => {
    expect(zoneList(winter).find(({ name }) => name === zone)?.label).toMatch(label);
  });

  test('has each zone once, and all that luxon knows', () => {
    const names = zoneList(winter).map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(400);
    expect(names.filter((name) => zoneOf(name) === undefined)).toEqual([]);
  });

  test.each([
    ['America/New_York', "Workflow's zone: New York, UTC-05:00/-04:00 (America/New_York)"],
    ['UTC', "Workflow's zone: UTC"],
    ['UTC+2', "Workflow's zone: UTC+2"],
  ])('says of the zone of the workflow, %s, %j', (zone, label) => {
    expect(workflowZoneLabel(zone, winter)).toBe(label);
  });
});
