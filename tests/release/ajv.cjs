// Compile the schema of standard input as SchemaStore does, and print for each value whether it is valid.
const [ajv] = process.argv.slice(2);
const { schema, options, values } = JSON.parse(require("fs").readFileSync(0));
const engine = new (require(ajv).Ajv)({ strict: true, allErrors: false });
for (const format of options.unknownFormat ?? []) engine.addFormat(format, true);
for (const keyword of options.unknownKeywords ?? []) engine.addKeyword(keyword);
const validate = engine.compile(schema);
console.log(JSON.stringify(values.map((value) => validate(value))));
