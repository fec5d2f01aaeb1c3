import type { INodeExecutionData } from 'n8n-workflow';

const items = (rows: Array<INodeExecutionData['json']>): INodeExecutionData[] =>
  rows.map((json) => ({ json }));

/**
 * Rows as n8n's Google Sheets node reads them: a date cell is the number of days since 30 December 1899,
 * a checkbox a boolean, an empty cell an empty text.
 */
export const sheetRows = items(
  [
    {
      'Publish at': 47604.375,
      Accounts: 'Instagram, Twitter',
      Text: 'With a date',
      Picture: 'https://media.example/a.jpg',
      Ready: true,
    },
    { 'Publish at': '5/2/2030 9am', Accounts: 'IG', Text: 'In two ways', Ready: true },
    { 'Publish at': 'May 2, 2030 at 9:00 AM', Accounts: 'linkedin', Text: 'As text', Ready: 'yes' },
    { 'Publish at': '25.12.2030 09:00', Accounts: 'Pinterest', Text: 'For nobody', Ready: true },
    { 'Publish at': '25.12.2030 09:00', Accounts: '@bluedoorbakes', Text: 'Dots', Ready: 'TRUE' },
    { 'Publish at': 47604.375, Accounts: 'linkedin', Text: 'Same time', Ready: true },
    { 'Publish at': 47605.5, Accounts: 'linkedin', Text: 'Not yet', Ready: false },
  ].map((row, index) => ({ row_number: index + 2, Picture: '', Result: '', ...row })),
);

/**
 * Records as n8n's Airtable node reads them: a date in UTC, a multiple select as an array. A field that
 * is empty is missing.
 */
export const airtableRecords = items([
  {
    id: 'recA1b2C3d4E5f6G7',
    createdTime: '2030-01-01T00:00:00.000Z',
    'Publish at': '2030-07-01T07:00:00.000Z',
    Accounts: ['Instagram', 'X (Twitter)'],
    Text: 'From Airtable',
    'Picture URL': 'https://media.example/a.jpg',
    Ready: true,
  },
  {
    id: 'recH8i9J0k1L2m3N4',
    createdTime: '2030-01-01T00:00:00.000Z',
    'Publish at': '2030-07-01T07:00:00.000Z',
    Accounts: ['LinkedIn'],
    Text: 'Same time',
    Ready: true,
  },
]);
