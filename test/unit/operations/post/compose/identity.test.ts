import { identityOf } from '../../../../../nodes/SocialPublishing/operations/post/compose/identity';

const contentWith = (url: string): unknown =>
  identityOf(
    [
      {
        account: 1,
        text: '',
        media: [{ address: url }],
        from: { account: '', content: '', mediaUrls: '' },
      },
    ],
    { asked: 'now', due: undefined, status: 'scheduled', custom: {} },
  ).full;

test.each([
  ['n8n', 'signature'],
  ['Amazon S3', 'X-Amz-Signature'],
  ['Google Cloud Storage', 'X-Goog-Signature'],
  ['Azure, its end', 'se'],
  ['Azure, its signature', 'sig'],
  ['others, their end', 'Expires'],
])('how %s signs an address is not what a post is recognized by', (_, name) => {
  const signed = `https://files.example.com/bread.jpg?size=2&${name}=`;
  expect(contentWith(`${signed}1`)).toEqual(contentWith(`${signed}2`));
});

test('the ID of a file in Google Drive is', () => {
  const file = 'https://drive.google.com/uc?export=download&id=';
  expect(contentWith(`${file}1`)).not.toEqual(contentWith(`${file}2`));
});
