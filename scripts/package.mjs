/** Packs the last build, and prints the commands that install the package: the last step of `npm run package`. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const file = execFileSync('npm', ['pack', '--silent'], { encoding: 'utf8' }).trim();
const packed = `"${resolve(file)}"`;
const folder = 'mkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes';
const install = 'npm install --legacy-peer-deps --ignore-scripts';
console.log(`In the n8n of this machine, which you restart then:
${folder} && ${install} ${packed}\n
In Docker, with your container's name in place of the first n8n:
container=n8n; docker exec -i -u node $container sh -c '${folder} && cat > ${file} && ${install} ./${file}' < ${packed} && docker restart $container\n
In the demo, which installs it by itself:
npm start`);
