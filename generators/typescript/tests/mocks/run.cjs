// Runs programs one after the other under the mocks of `@pulumi/pulumi`. Their answers are those of the engine
// that the registrations were recorded with.
//
//     node run.cjs WORK RESULTS < PROGRAMS
//
// PROGRAMS is a list of {id, directory, config, configSecretKeys, responses, organization, isPreview}. A program that is
// not compiled is stripped of its types. RESULTS has a line of {id, events, error} for each. Pulumi's SDK ends the process after some errors: then the last line is {id} of the
// program that it was. WORK is the directory whose `node_modules` the programs use.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { createRequire } = require("node:module");

const work = fs.realpathSync(process.argv[2]);
const output = path.resolve(process.argv[3]);
const ofWork = createRequire(path.join(work, "x.js"));
const pulumi = ofWork("@pulumi/pulumi");
const ofPulumi = createRequire(ofWork.resolve("@pulumi/pulumi"));
const { Struct } = ofPulumi("google-protobuf/google/protobuf/struct_pb");
const resources = ofPulumi("./proto/resource_pb");
const providers = ofPulumi("./proto/provider_pb");

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** The wire form of a value in the notation of the vectors. */
function wire(value) {
    if (Array.isArray(value)) {
        return value.map(wire);
    }
    if (value === null || typeof value !== "object") {
        return value;
    }
    if ("$secret" in value) {
        return { [SIGNATURE]: SECRET, value: wire(value.$secret) };
    }
    if ("$ref" in value) {
        return { [SIGNATURE]: RESOURCE, ...value.$ref };
    }
    if ("$output" in value) {
        const { value: inner, dependencies } = value.$output;
        return { [SIGNATURE]: OUTPUT, value: wire(inner), dependencies };
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, wire(inner)]));
}

/** The fields of a request that are set, under their names in JSON. */
function fields(request, names) {
    const found = {};
    for (const [name, get] of Object.entries(names)) {
        const value = get(request);
        const isEmpty = Array.isArray(value) ? value.length === 0 : !value;
        if (!isEmpty) {
            found[name] = value;
        }
    }
    return found;
}

const struct = (value) => value && value.toJavaScript();

function urnsByName(map) {
    const found = {};
    map.forEach((value, name) => (found[name] = { urns: value.getUrnsList().sort() }));
    return Object.keys(found).length > 0 ? found : undefined;
}

function strings(map) {
    const found = Object.fromEntries(map.toObject().map(([name, value]) => [name, value]));
    return Object.keys(found).length > 0 ? found : undefined;
}

const HOOKS = ["beforeCreate", "afterCreate", "beforeUpdate", "afterUpdate", "beforeDelete", "afterDelete", "onError"];

function hooks(request) {
    const bound = request.getHooks();
    const found = {};
    for (const name of bound ? HOOKS : []) {
        const get = bound[`get${name[0].toUpperCase()}${name.slice(1).toLowerCase()}List`] ?? bound[`get${name[0].toUpperCase()}${name.slice(1)}List`];
        const names = get ? get.call(bound) : [];
        if (names.length > 0) {
            found[name] = names;
        }
    }
    return Object.keys(found).length > 0 ? found : undefined;
}

/** An alias; the parent that the resource has anyway is not told. */
function aliasSpec(spec) {
    return fields(spec, {
        name: (it) => it.getName(),
        type: (it) => it.getType(),
        stack: (it) => it.getStack(),
        project: (it) => it.getProject(),
        noParent: (it) => it.getNoparent(),
        parentUrn: (it) => (it.getParenturn().includes("::pulumi:pulumi:Stack::") ? "" : it.getParenturn()),
    });
}

const REGISTRATION = {
    type: (it) => it.getType(),
    name: (it) => it.getName(),
    parent: (it) => it.getParent(),
    custom: (it) => it.getCustom(),
    remote: (it) => it.getRemote(),
    object: (it) => struct(it.getObject()),
    dependencies: (it) => it.getDependenciesList().sort(),
    propertyDependencies: (it) => urnsByName(it.getPropertydependenciesMap()),
    provider: (it) => it.getProvider(),
    providers: (it) => strings(it.getProvidersMap()),
    version: (it) => it.getVersion(),
    pluginDownloadURL: (it) => it.getPlugindownloadurl(),
    protect: (it) => it.getProtect(),
    retainOnDelete: (it) => it.getRetainondelete(),
    deleteBeforeReplace: (it) => it.getDeletebeforereplace(),
    deleteBeforeReplaceDefined: (it) => it.getDeletebeforereplacedefined(),
    ignoreChanges: (it) => it.getIgnorechangesList(),
    replaceOnChanges: (it) => it.getReplaceonchangesList(),
    additionalSecretOutputs: (it) => it.getAdditionalsecretoutputsList().sort(),
    hideDiffs: (it) => it.getHidediffsList(),
    importId: (it) => it.getImportid(),
    deletedWith: (it) => it.getDeletedwith(),
    replaceWith: (it) => it.getReplaceWithList(),
    replacementTrigger: (it) => it.getReplacementTrigger() && it.getReplacementTrigger().toJavaScript(),
    envVarMappings: (it) => strings(it.getEnvvarmappingsMap()),
    customTimeouts: (it) =>
        it.getCustomtimeouts() &&
        fields(it.getCustomtimeouts(), {
            create: (it) => it.getCreate(),
            update: (it) => it.getUpdate(),
            delete: (it) => it.getDelete(),
            read: (it) => it.getRead(),
        }),
    aliases: (it) => it.getAliasesList().map((alias) => alias.getUrn() || { spec: aliasSpec(alias.getSpec()) }),
    hooks,
};

/** The answers, and the requests that were made. */
class Engine {
    constructor({ responses, isPreview }) {
        this.isPreview = isPreview === true;
        this.responses = responses ?? {};
        this.states = new Map();
        this.events = [];
    }

    record(method, request) {
        this.events.push({ method, request });
    }

    /** The answer about a name or token or, if there is none, about a type; a failure is given to `callback`. */
    response(name, type, callback) {
        const response = this.responses[name] ?? this.responses[type] ?? {};
        if (response.error) {
            callback(Object.assign(new Error(response.error), { code: 2, details: response.error }));
            return undefined;
        }
        return response;
    }

    urn(parent, type, name) {
        const above = parent ? parent.split("::")[2] : "";
        const qualified = above && above !== "pulumi:pulumi:Stack" ? `${above}$${type}` : type;
        return `urn:pulumi:dev::proj::${qualified}::${name}`;
    }

    registerResource(request, callback) {
        const found = fields(request, REGISTRATION);
        this.record("RegisterResource", found);
        const response = this.response(found.name, found.type, callback);
        if (!response) {
            return;
        }
        const urn = this.urn(found.parent, found.type, found.name);
        const outputs = this.isPreview ? response.previewOutputs : response.outputs;
        const state = { ...found.object, ...wire(outputs ?? {}) };
        const isKnown = found.custom && !this.isPreview && !response.unknown;
        const id = response.id ?? (isKnown ? `${found.name}-id` : "");
        this.states.set(urn, state);
        const answer = new resources.RegisterResourceResponse();
        answer.setUrn(urn);
        answer.setId(id);
        answer.setObject(Struct.fromJavaScript(state));
        answer.setResult(resources.Result[response.result ?? "SUCCESS"]);
        callback(null, answer);
    }

    readResource(request, callback) {
        const found = fields(request, {
            id: (it) => it.getId(),
            type: (it) => it.getType(),
            name: (it) => it.getName(),
            parent: (it) => it.getParent(),
            properties: (it) => struct(it.getProperties()),
            dependencies: (it) => it.getDependenciesList().sort(),
            provider: (it) => it.getProvider(),
            version: (it) => it.getVersion(),
            additionalSecretOutputs: (it) => it.getAdditionalsecretoutputsList().sort(),
        });
        this.record("ReadResource", found);
        const response = this.response(found.name, found.type, callback);
        if (!response) {
            return;
        }
        const urn = this.urn(found.parent, found.type, found.name);
        const state = { ...found.properties, ...wire(response.outputs ?? {}) };
        this.states.set(urn, state);
        const answer = new resources.ReadResourceResponse();
        answer.setUrn(urn);
        answer.setProperties(Struct.fromJavaScript(state));
        callback(null, answer);
    }

    existsResource(request, callback) {
        const found = fields(request, {
            type: (it) => it.getType(),
            id: (it) => it.getId(),
            properties: (it) => struct(it.getProperties()),
        });
        this.record("ExistsResource", found);
        const response = this.response(`exists:${found.id}`, "", callback);
        if (response) {
            const answer = new resources.ExistsResourceResponse();
            answer.setExists(response.exists === true);
            answer.setUnknown(response.unknown === true);
            callback(null, answer);
        }
    }

    asked(method, names, request, Answer, callback) {
        const found = fields(request, names);
        this.record(method, found);
        const answer = new Answer();
        if (found.tok === "pulumi:pulumi:getResource") {
            const urn = found.args.urn;
            const state = { urn, id: "", state: this.states.get(urn) ?? {} };
            answer.setReturn(Struct.fromJavaScript(state));
            callback(null, answer);
            return;
        }
        const response = this.response(found.tok, "", callback);
        if (!response) {
            return;
        }
        for (const reason of response.failures ?? []) {
            const failure = new providers.CheckFailure();
            failure.setReason(reason);
            answer.addFailures(failure);
        }
        answer.setReturn(Struct.fromJavaScript(wire(response.outputs ?? {})));
        callback(null, answer);
    }

    invoke(request, callback) {
        const names = {
            tok: (it) => it.getTok(),
            args: (it) => struct(it.getArgs()),
            provider: (it) => it.getProvider(),
            version: (it) => it.getVersion(),
        };
        this.asked("Invoke", names, request, providers.InvokeResponse, callback);
    }

    call(request, callback) {
        const names = { tok: (it) => it.getTok(), args: (it) => struct(it.getArgs()) };
        this.asked("Call", names, request, providers.CallResponse, callback);
    }

    registerResourceOutputs(request, callback) {
        const found = { urn: request.getUrn(), outputs: struct(request.getOutputs()) ?? {} };
        this.record("RegisterResourceOutputs", found);
        callback(null, {});
    }

    registerResourceHook(request, callback) {
        const found = fields(request, { name: (it) => it.getName(), onDryRun: (it) => it.getOnDryRun() });
        this.record("RegisterResourceHook", found);
        callback(null, {});
    }

    registerErrorHook(request, callback) {
        this.record("RegisterErrorHook", { name: request.getName() });
        callback(null, {});
    }
}

/** Loads TypeScript without looking at its types. */
require.extensions[".ts"] = (module, file) => {
    const ts = ofWork("typescript");
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
    const { outputText } = ts.transpileModule(fs.readFileSync(file, "utf8"), { compilerOptions });
    module._compile(outputText, file);
};

/** Starts the modules of a program anew. */
function forget(directory) {
    for (const file of Object.keys(require.cache)) {
        if (file.startsWith(directory + path.sep)) {
            delete require.cache[file];
        }
    }
}

let failure;
const fail = (error) => (failure ??= error);
process.on("unhandledRejection", fail);
process.on("uncaughtException", fail);

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function run(program) {
    const directory = fs.realpathSync(program.directory);
    const engine = new Engine(program);
    failure = undefined;
    await pulumi.runtime.setMocks({}, "proj", "dev", engine.isPreview, program.organization ?? "acme");
    const monitor = pulumi.runtime.getMonitor();
    for (const method of Object.getOwnPropertyNames(Engine.prototype)) {
        monitor[method] = engine[method].bind(engine);
    }
    pulumi.runtime.setAllConfig(program.config ?? {}, program.configSecretKeys ?? []);
    process.chdir(directory);
    forget(directory);
    try {
        // Pulumi calls what a program exports if it is a function.
        const load = async () => {
            const exported = require(path.join(directory, "index"));
            return typeof exported === "function" ? exported() : exported;
        };
        const done = pulumi.runtime.runInPulumiStack(load);
        await Promise.race([done, until(() => failure !== undefined)]);
        await pulumi.runtime.waitForRPCs();
    } catch (error) {
        fail(error);
    }
    for (let turn = 0; turn < 5; turn++) {
        await settled();
    }
    pulumi.runtime.disconnectSync();
    const events = JSON.parse(JSON.stringify(engine.events).replaceAll(directory, "<dir>"));
    return { events, error: failure === undefined ? undefined : String(failure?.message ?? failure) };
}

async function until(condition) {
    while (!condition()) {
        await settled();
    }
}

async function main() {
    const programs = JSON.parse(fs.readFileSync(0, "utf8"));
    const tell = (result) => fs.appendFileSync(output, `${JSON.stringify(result)}\n`);
    // What programs print is not the result.
    console.log = console.info = console.error = console.warn = () => {};
    for (const program of programs) {
        tell({ id: program.id });
        tell({ id: program.id, ...(await run(program)) });
    }
}

main().then(
    () => process.exit(0),
    (error) => {
        process.stderr.write(`${error.stack}\n`);
        process.exit(1);
    },
);
