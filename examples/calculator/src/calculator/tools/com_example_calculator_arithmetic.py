"""Evaluate an arithmetic expression exactly, in fractions of whole numbers. A result
that has no short decimal form is rounded and marked with ≈.
"""

from calculator._generated.contract import (
    ComExampleCalculatorArithmeticArguments,
    ComExampleCalculatorArithmeticResult,
    Context,
)
from calculator.arithmetic import evaluate, in_digits


def com_example_calculator_arithmetic(
    arguments: ComExampleCalculatorArithmeticArguments,
    context: Context,
) -> ComExampleCalculatorArithmeticResult:
    return in_digits(evaluate(arguments.expression))
