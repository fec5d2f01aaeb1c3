console.error(
  'Only GitHub Actions publishes, with provenance. Push a tag: CONTRIBUTING.md, "Release".',
);
process.exitCode = 1;
