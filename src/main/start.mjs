// What `npm start` runs. It must be readable by any Node: on an old one SQLite dies without a word, so the version is checked first.
import process from 'node:process';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Dailies needs Node 22.18 or newer and this is ${process.version}: run \`npm start\`, which brings its own Node 24.\n`,
  );
  process.exit(1);
}

const { launch } = await import('./hosts/launch/launch.ts');
await launch(process.argv.slice(2));
