import { shareLinkAt, shareLinks } from '../../../nodes/SocialPublishing/platforms/shareLinks';

test.each([
  [
    'https://drive.google.com/file/d/1aB_c-9/view?usp=sharing',
    'https://drive.google.com/uc?export=download&id=1aB_c-9',
  ],
  [
    'https://drive.google.com/file/u/1/d/1aB_c-9/edit',
    'https://drive.google.com/uc?export=download&id=1aB_c-9',
  ],
  [
    'https://docs.google.com/file/d/1aB_c-9/view',
    'https://drive.google.com/uc?export=download&id=1aB_c-9',
  ],
  [
    'https://drive.google.com/open?usp=drive_copy&id=1aB_c-9&resourcekey=0-x',
    'https://drive.google.com/uc?export=download&id=1aB_c-9&resourcekey=0-x',
  ],
  ['https://www.dropbox.com/s/abc/bread.jpg?dl=0', 'https://www.dropbox.com/s/abc/bread.jpg?dl=1'],
  [
    'https://dropbox.com/scl/fi/abc/bread.jpg?rlkey=k&st=s',
    'https://dropbox.com/scl/fi/abc/bread.jpg?rlkey=k&st=s&dl=1',
  ],
])('%s opens a file', (address, file) => {
  expect(shareLinkAt(address)).toMatchObject({ opens: 'file', file });
  expect(shareLinkAt(file)).toBeUndefined();
});

test.each([
  ['https://drive.google.com/drive/folders/1aB', 'folder', 'Google Drive'],
  ['https://drive.google.com/drive/u/0/folders/1aB?usp=sharing', 'folder', 'Google Drive'],
  ['https://docs.google.com/document/d/1aB/edit?usp=sharing', 'page', 'Google Docs'],
  ['https://docs.google.com/presentation/d/e/2PACX/pub', 'page', 'Google Docs'],
  ['https://photos.app.goo.gl/a1B2', 'page', 'Google Photos'],
  ['https://photos.google.com/share/AF1Qip?key=k', 'page', 'Google Photos'],
  ['https://www.dropbox.com/scl/fo/abc/def?dl=0', 'folder', 'Dropbox'],
  ['https://www.dropbox.com/sh/abc/def?dl=1', 'folder', 'Dropbox'],
  ['https://1drv.ms/i/s!Abc', 'page', 'OneDrive'],
  ['https://onedrive.live.com/?cid=1&id=2', 'page', 'OneDrive'],
  ['https://bakery.sharepoint.com/:i:/s/team/Eabc?e=x', 'page', 'SharePoint'],
  ['https://bakery-my.sharepoint.com/:f:/g/personal/me/Eabc', 'page', 'SharePoint'],
  ['https://share.icloud.com/photos/0a1', 'page', 'iCloud'],
  ['https://www.icloud.com/iclouddrive/0a1#bread', 'page', 'iCloud'],
  ['https://we.tl/t-abc', 'page', 'WeTransfer'],
  ['https://bakery.wetransfer.com/downloads/abc', 'page', 'WeTransfer'],
  ['https://www.canva.com/design/DAF/x/view', 'page', 'Canva'],
])('%s opens a %s of %s', (address, opens, of) => {
  expect(shareLinkAt(address)).toEqual({ of, opens, file: undefined });
});

test.each([
  'https://drive.google.com/thumbnail?id=1aB',
  'https://docs.google.com/presentation/d/1aB/export/png',
  'https://www.dropbox.com/s/abc/bread.jpg?raw=1',
  'https://dl.dropboxusercontent.com/s/abc/bread.jpg',
  'https://onedrive.live.com/download?resid=1',
  'https://bakery.sharepoint.com/:i:/s/team/Eabc?e=x&download=1',
  'https://example.com/file/d/1aB/view',
  'https://drive.google.com.example.com/file/d/1aB/view',
  'https://drive.google.com/',
  'not a URL',
])('%s is taken for a file', (address) => {
  expect(shareLinkAt(address)).toBeUndefined();
});

test('each row of the table says where it is from', () => {
  for (const { source } of shareLinks) expect(source).toMatch(/^https:\/\/\S+$/);
});
