"""Reserved words that must not be used as derived Python names.

The lists are fixed, not taken from the running Python: every version must derive the same names
from a spec.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KEYWORDS = _words("""
    False None True and as assert async await break class continue def del elif else except
    finally for from global if import in is lambda nonlocal not or pass raise return try while
    with yield
""")

BUILTINS = _words("""
    abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod
    compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter
    float format frozenset getattr globals hasattr hash help hex id input int isinstance
    issubclass iter len license list locals map max memoryview min next object oct open ord pow
    print property quit range repr reversed round set setattr slice sorted staticmethod str sum
    super tuple type vars zip
""")

TYPES = _words("""
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError
    ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError
    Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError
    FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportCycleError
    ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError
    KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError
    NotADirectoryError NotImplemented NotImplementedError OSError OverflowError
    PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError
    RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration
    StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError
    UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError
    UnicodeWarning UserWarning ValueError Warning ZeroDivisionError
""")
"""Built-in names in CamelCase."""

MODEL = _words("""
    construct copy dict faults from_orm json model_computed_fields model_config model_construct
    model_copy model_dump model_dump_json model_extra model_fields model_fields_set
    model_json_schema model_parametrized_name model_post_init model_rebuild model_validate
    model_validate_json model_validate_strings of_client parse_file parse_obj parse_raw schema schema_json
    update_forward_refs validate
""")
"""Attributes of every model."""

DEVICES = _words("""
    aux com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 con lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6
    lpt7 lpt8 lpt9 nul prn
""")
"""File names that Windows reserves for devices, with any extension."""

STANDARD_LIBRARY = _words("""
    abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit
    audioop base64 bdb binascii binhex bisect builtins bz2 cProfile calendar cgi cgitb chunk
    cmath cmd code codecs codeop collections colorsys compileall compression concurrent
    configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses
    datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno
    faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath
    getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib
    imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale
    logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
    multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os
    ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix
    posixpath pprint profile profiling pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat
    queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
    selectors shelve shlex shutil signal site sitecustomize smtpd smtplib sndhdr socket
    socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string
    stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib
    tempfile termios test textwrap this threading time timeit tkinter token tokenize tomllib
    trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib
    usercustomize uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib
    xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
""")
"""Top-level modules of Python 3.10 to 3.15, and modules that Python imports at startup."""

DEPENDENCIES = _words("""
    annotated_types anyio attr attrs certifi cffi click cryptography dotenv h11 h2 hpack
    httpcore httpcore2 httpx httpx2 idna iniconfig jsonschema jsonschema_rs
    jsonschema_specifications jwt mcp mcp_types multipart mypy mypyc opentelemetry packaging
    pathspec pluggy py pydantic pydantic_core pygments pytest python_multipart referencing rpds
    ruff sniffio sse_starlette starlette truststore typing_extensions typing_inspection uvicorn
""")
"""Import names of packages that a generated server or its tests may install."""

COMMANDS = _words("""
    activate deactivate dmypy hatchling mcp_scaffold pip pip3 pydoc pygmentize python python3
    pythonw setuptools stubgen stubtest uv uvx wheel
""")
"""Commands in a virtual environment that a server must not overwrite, and distributions."""

PROJECT = frozenset({"client", "clients", "conftest", "src", "tests", "tools"})
"""Names next to the package in a generated project, and names special to pytest."""

SETTINGS = frozenset({"field", "from_environment", "os"})
"""Names that the body of the generated `Settings` class uses, other than attributes."""

CONTRACT = _words("""
    Annotated Annotations annotations Any ApiError ask_first AskingContext AskingTaskContext
    attach_logs attach_telemetry AudioContent BaseContext BlobResourceContents c CallToolResult
    CHANGES Changes check_encodings complete_argument CompleteRequestParams ContentBlock Context
    CreateMessageRequestParams CreateMessageResult dt ElicitingContext EmbeddedResource Field
    GetPromptResult Icon ImageContent importlib json lifespan Literal LoggedApiTools LoggedTools
    LoggingContext MCPError Model NotWritten Opened os partial PathEscapeError pkgutil PromptMessage
    PromptResult ReadResourceResult ResourceLink ResourceNotFound ResourceResult SamplingContext
    SamplingMessage security_from Shared TaskContext TextContent TextResourceContents ToolError
    ToolResult TYPE_CHECKING TypeAlias TypeAliasType UpstreamError UrlElicitingContext UUID
""")
"""Names in the modules of the contract and of the server, but for those of the spec."""
